#include "app/gui/pages/recording/tactile_panel.hpp"

#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/gui/pages/recording/time_bar.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/widgets/table_twin.hpp"

namespace tactelier::gui {

TactilePanel::TactilePanel(Jobs& jobs, QWidget* parent)
    : Panel(tr("Tactile image"), parent), loader_(jobs) {
  map_ = new TactileMapView(this);
  map_->setObjectName(QStringLiteral("tactileMap"));
  map_->setShowNumbers(true);
  time_bar_ = new TimeBar(this);
  readout_ = new QLabel(this);
  readout_->setObjectName(QStringLiteral("tactelReadout"));
  legend_ = new QLabel(this);
  legend_->setProperty("look", "caption");
  legend_->setWordWrap(true);
  body()->addWidget(new TableTwin(map_, this), 1);
  body()->addWidget(time_bar_);
  body()->addWidget(readout_);
  body()->addWidget(legend_);
  connect(&loader_, &FrameLoader::frameReady, this, &TactilePanel::showFrame);
  connect(&loader_, &FrameLoader::damageMet, this, &TactilePanel::damageMet);
  connect(time_bar_, &TimeBar::timeChanged, this, [this](double time_s) {
    loader_.request(time_s);
    emit timeChanged(time_s);
  });
  connect(map_, &TactileMapView::tactelHovered, this, &TactilePanel::showReadout);
  connect(map_, &TactileMapView::tactelChosen, this, &TactilePanel::showReadout);
}

void TactilePanel::setRecording(RecordingPtr recording) {
  recording_ = std::move(recording);
  extremes_.clear();
  loader_.setRecording(recording_);
  map_->setSensor(recording_ ? recording_->metadata().sensor : SensorDescription{});
  const auto adc = recording_ ? recording_->metadata().sensor.adc : Adc{};
  map_->setScale(adc.min.value_or(0), adc.max.value_or(1), tr("counts"));
  map_->setNumbers([](double value) { return fixed(value, 0); });
  time_bar_->setRange(recording_ ? recording_->begin_s() : 0, recording_ ? recording_->end_s() : 0,
                      loader_.period_s());
  setCaption(!recording_ ? QString()
             : loader_.available()
                 ? tr("%n tactels", nullptr, recording_->metadata().sensor.tactels())
                 : tr("no tactile stream"));
  loader_.request(time_bar_->time_s());
  showReadout();
  showLegend();
}

void TactilePanel::setExtremes(const std::vector<TactelExtremes>& extremes) {
  extremes_ = extremes;
  double low = INFINITY;
  double high = -INFINITY;
  for (const auto& tactel : extremes) {
    low = std::fmin(low, tactel.min);
    high = std::fmax(high, tactel.max);
  }
  if (std::isfinite(low) && high > low) {
    map_->setScale(low, high, tr("counts"));
    const double span = high - low;
    const int decimals = span >= 100 ? 0 : span >= 10 ? 1 : span >= 1 ? 2 : 3;
    map_->setNumbers([decimals](double value) { return fixed(value, decimals); });
  }
  showFrame(time_bar_->time_s(), map_->values());
  showLegend();
}

void TactilePanel::showFrame(double, const std::vector<double>& values) {
  std::vector<TactelMark> marks(values.size(), TactelMark::kNone);
  double full = INFINITY;
  if (recording_) full = recording_->metadata().sensor.adc.max.value_or(INFINITY);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i < extremes_.size() && extremes_[i].dead)
      marks[i] = TactelMark::kDead;
    else if (i < extremes_.size() && extremes_[i].stuck)
      marks[i] = TactelMark::kStuck;
    else if (values[i] >= full)
      marks[i] = TactelMark::kSaturated;
  }
  map_->setValues(values);
  map_->setMarks(std::move(marks));
  showReadout();
}

void TactilePanel::showReadout() {
  const auto tactel = map_->hovered() ? map_->hovered() : map_->cursorTactel();
  readout_->setText(tactel ? map_->describe(*tactel)
                           : tr("Point at a tactel, or choose one with the arrow keys."));
}

void TactilePanel::showLegend() {
  QStringList dead;
  QStringList stuck;
  for (std::size_t i = 0; i < extremes_.size(); ++i) {
    if (extremes_[i].dead) dead << QString::number(i);
    if (extremes_[i].stuck) stuck << QString::number(i);
  }
  QStringList words;
  if (!dead.isEmpty()) words << tr("× dead (%1)").arg(dead.join(QStringLiteral(", ")));
  if (!stuck.isEmpty()) words << tr("▬ stuck (%1)").arg(stuck.join(QStringLiteral(", ")));
  if (!extremes_.empty() && words.isEmpty()) words << tr("no dead or stuck tactels");
  words << tr("◥ saturated") << tr("orange frame: pressed");
  legend_->setText(words.join(QStringLiteral("   ")));
}

void TactilePanel::setTime(double time_s) {
  time_bar_->setTime(time_s);
  loader_.request(time_bar_->time_s());
}

double TactilePanel::time_s() const { return time_bar_->time_s(); }

}  // namespace tactelier::gui
