#include "app/gui/pages/compare/image_triptych.hpp"

#include <QGridLayout>
#include <QHBoxLayout>

#include "app/gui/text/words.hpp"
#include "app/gui/widgets/elided_label.hpp"
#include "app/gui/widgets/panel.hpp"
#include "app/gui/widgets/table_twin.hpp"

namespace tactelier::gui {
namespace {

/// "9 × finer": a bar that is shorter than that of the images beside it.
QString factorWords(const ImageScales& scales) {
  const double finer = scales.image / scales.difference;
  const double factor = finer >= 1 ? finer : 1 / finer;
  const auto words = fixed(factor, factor < 9.95 ? 1 : 0);
  return finer >= 1 ? ImageTriptych::tr("%1 × finer").arg(words)
                    : ImageTriptych::tr("%1 × coarser").arg(words);
}

}  // namespace

ImageTriptych::ImageTriptych(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("compareTriptych"));
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(12);
  const std::array titles{tr("Real"), tr("Simulated"), tr("Difference")};
  const std::array names{"compareReal", "compareSimulated", "compareDifference"};
  for (int i = 0; i < static_cast<int>(kThirds); ++i) {
    const auto at = static_cast<std::size_t>(i);
    panels_[at] = new Panel(titles[at], this);
    maps_[at] = new TactileMapView(panels_[at]);
    maps_[at]->setObjectName(QLatin1String(names[at]));
    maps_[at]->setAccessibleName(titles[at]);
    maps_[at]->setShowNumbers(true);
    panels_[at]->body()->addWidget(new TableTwin(maps_[at], panels_[at]));
    grid->addWidget(panels_[at], 0, i);
    grid->setColumnStretch(i, 1);
    connect(maps_[at], &TactileMapView::tactelHovered, this, &ImageTriptych::point);
    connect(maps_[at], &TactileMapView::tactelChosen, this, [this](int tactel) {
      setCursor(tactel);
      emit tactelChosen(tactel);
    });
  }
  maps_[kDifference]->setColorMap(ColorMap::kDiverging);
  readout_ = new ElidedLabel(this);
  readout_->setObjectName(QStringLiteral("compareReadout"));
  note_ = new ElidedLabel(this);
  note_->setObjectName(QStringLiteral("compareCentres"));
  auto* beneath = new QHBoxLayout;
  beneath->setSpacing(12);
  for (auto* label : {readout_, note_}) {
    label->setProperty("look", "caption");
    beneath->addWidget(label, 1);
  }
  grid->addLayout(beneath, 1, 0, 1, kThirds);
  grid->setRowStretch(0, 1);
  clear();
}

void ImageTriptych::addMethodTool(QWidget* tool) { panels_[kSimulated]->addTool(tool); }

void ImageTriptych::setSensor(const SensorDescription& sensor) {
  for (auto* map : maps_) map->setSensor(sensor);
}

void ImageTriptych::show(const TriptychContent& content, const ImageScales& scales) {
  content_ = content;
  for (std::size_t i = 0; i < kThirds; ++i) {
    const bool either_way = i == kDifference;
    const double top = either_way ? scales.difference : scales.image;
    maps_[i]->setNumbers(
        [decimals = decimalsFor(top)](double value) { return fixed(value, decimals); });
    maps_[i]->setScale(either_way ? -top : 0, top, content.unit);
    maps_[i]->setMarks(content.marks[i]);
    maps_[i]->setValues(content.values[i]);
  }
  const bool any = !content.values[kReal].empty();
  maps_[kDifference]->setBarNote(any ? factorWords(scales) : QString());
  showCaptions();
  showReadout();
  emit changed();
}

void ImageTriptych::clear() {
  show({}, {});
  setLines({});
  setNote({});
}

void ImageTriptych::showCaptions() {
  const auto total = [this](Third which) {
    const auto& value = content_.totals[which];
    const bool counts = content_.unit != QLatin1String("N");
    return value ? QStringLiteral("%1 %2").arg(fixed(*value, counts ? 0 : 2), content_.unit)
                 : QString();
  };
  const auto in_all = [&](Third which) {
    return total(which).isEmpty() ? QString() : tr("%1 in all").arg(total(which));
  };
  const bool load = in_all(kReal).isEmpty() && content_.load_N > 0;
  panels_[kReal]->setCaption(load ? tr("load %1 N").arg(fixed(content_.load_N, 2)) : in_all(kReal));
  panels_[kSimulated]->setCaption(in_all(kSimulated));
  const auto left = total(kDifference);
  panels_[kDifference]->setCaption(content_.values[kReal].empty() ? QString()
                                   : left.isEmpty()               ? tr("real − simulated")
                                                    : tr("real − simulated: %1").arg(left));
}

void ImageTriptych::setLines(std::array<std::vector<MapLine>, kThirds> lines) {
  for (std::size_t i = 0; i < kThirds; ++i) maps_[i]->setLines(std::move(lines[i]));
}

void ImageTriptych::setNote(const QString& words) { note_->setText(words); }

void ImageTriptych::setCursor(std::optional<int> tactel) {
  for (auto* map : maps_) map->setCursor(tactel);
  showReadout();
  emit changed();
}

void ImageTriptych::moveCursor(int columns, int rows) { maps_[kReal]->moveCursor(columns, rows); }

void ImageTriptych::point(std::optional<int> tactel) {
  for (auto* map : maps_) map->setHovered(tactel);
  showReadout();
}

void ImageTriptych::showReadout() {
  const auto tactel =
      maps_[kReal]->hovered() ? maps_[kReal]->hovered() : maps_[kReal]->cursorTactel();
  if (!tactel || static_cast<std::size_t>(*tactel) >= maps_[kReal]->values().size()) {
    readout_->setText(tr("Point at a tactel, or choose one with Shift and the arrow keys."));
    return;
  }
  const auto at = static_cast<std::size_t>(*tactel);
  readout_->setText(tr("%1 · simulated %2 · difference %3")
                        .arg(tr("Real: ") + maps_[kReal]->describe(*tactel),
                             maps_[kSimulated]->valueWords(at),
                             maps_[kDifference]->valueWords(at)));
}

}  // namespace tactelier::gui
