#include "app/gui/pages/session/live_image.hpp"

#include <QLabel>
#include <QVBoxLayout>
#include <cmath>

#include "app/gui/text/words.hpp"
#include "app/gui/widgets/table_twin.hpp"
#include "app/gui/widgets/tactile_map_view.hpp"

namespace tactelier::gui {

LiveImage::LiveImage(QWidget* parent) : Panel(tr("Tactile image"), parent) {
  map_ = new TactileMapView(this);
  map_->setObjectName(QStringLiteral("liveMap"));
  map_->setShowNumbers(true);
  map_->setNumbers([](double value) { return fixed(value, 0); });
  readout_ = new QLabel(this);
  readout_->setObjectName(QStringLiteral("liveReadout"));
  body()->addWidget(new TableTwin(map_, this), 1);
  body()->addWidget(readout_);
  connect(map_, &TactileMapView::tactelHovered, this, &LiveImage::read);
  connect(map_, &TactileMapView::tactelChosen, this, &LiveImage::read);
  read();
}

void LiveImage::setSensor(const SensorDescription& sensor) {
  sensor_ = sensor;
  low_ = INFINITY;
  high_ = -INFINITY;
  map_->setSensor(sensor);
  map_->setScale(0, 1, tr("counts"));
  show({}, false);
}

void LiveImage::show(const std::vector<float>& counts, bool fresh) {
  const auto channels = static_cast<std::size_t>(std::max(1, sensor_.channels));
  const auto tactels = static_cast<std::size_t>(sensor_.tactels());
  std::vector<double> values(tactels, std::nan(""));
  std::vector<TactelMark> marks(tactels, TactelMark::kNone);
  const bool whole = fresh && counts.size() >= tactels * channels && tactels > 0;
  const double full = sensor_.adc.max.value_or(INFINITY);
  for (std::size_t i = 0; whole && i < tactels; ++i) {
    values[i] = static_cast<double>(counts[i * channels]);
    if (values[i] >= full) marks[i] = TactelMark::kSaturated;
    // The scale grows and never shrinks: colours stay comparable.
    low_ = std::min(low_, values[i]);
    high_ = std::max(high_, values[i]);
  }
  if (whole) map_->setScale(low_, std::max(high_, low_ + 1), tr("counts"));
  setCaption(whole ? QString() : tr("no frames come"));
  map_->setValues(std::move(values));
  map_->setMarks(std::move(marks));
  read();
}

void LiveImage::read() {
  const auto tactel = map_->hovered() ? map_->hovered() : map_->cursorTactel();
  readout_->setText(tactel ? map_->describe(*tactel)
                           : tr("Point at a tactel, or choose one with the arrow keys."));
}

}  // namespace tactelier::gui
