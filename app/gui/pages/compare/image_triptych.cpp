#include "app/gui/pages/compare/image_triptych.hpp"

#include <QGridLayout>
#include <QLabel>
#include <algorithm>
#include <cmath>

#include "app/gui/text/message.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/widgets/panel.hpp"
#include "app/gui/widgets/table_twin.hpp"
#include "app/gui/widgets/tactile_map_view.hpp"
#include "libcalib/forward/image_contours.hpp"

namespace tactelier::gui {
namespace {

std::vector<double> differenceOf(const ComparedImage& image) {
  std::vector<double> difference(image.measured.size());
  for (std::size_t i = 0; i < difference.size(); ++i)
    difference[i] = image.measured[i] - image.predicted[i];
  return difference;
}

double largest(const std::vector<double>& values) {
  double top = 0;
  for (const double value : values) top = std::fmax(top, std::abs(value));
  return top;
}

/// Of what both images have: the same tactels in both sums.
double sum(const std::vector<double>& values, const std::vector<double>& beside) {
  double total = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isnan(values[i]) && !std::isnan(beside[i])) total += values[i];
  return total;
}

/// Of the first array by columns and rows: nothing lies between arrays.
std::vector<MapLine> outlinesOf(const SensorDescription& sensor, const std::vector<double>& image,
                                double level, bool dashed) {
  if (sensor.arrays.size() != 1) return {};
  const auto& array = sensor.arrays.front();
  const auto layout = ImageLayout::of_grid(array.rows, array.columns, 1, 1);
  std::vector<MapLine> lines;
  for (const auto& contour : image_contours(layout, image, level)) {
    MapLine line{{}, contour.closed, dashed};
    for (const auto& point : contour.points)
      line.places.emplace_back(point.x_m - layout.x_m.front(), point.y_m - layout.y_m.front());
    lines.push_back(std::move(line));
  }
  return lines;
}

int decimalsFor(double top) { return top >= 100 ? 0 : top >= 10 ? 1 : top >= 1 ? 2 : 3; }

}  // namespace

ImageScales scalesOf(const std::vector<const ComparedImage*>& images) {
  ImageScales scales{0, 0};
  for (const auto* image : images) {
    scales.counts = std::max({scales.counts, largest(image->measured), largest(image->predicted)});
    scales.difference = std::max(scales.difference, largest(differenceOf(*image)));
  }
  if (!(scales.counts > 0)) scales.counts = 1;
  if (!(scales.difference > 0)) scales.difference = 1;
  return scales;
}

ImageTriptych::ImageTriptych(QWidget* parent) : QWidget(parent) {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(12);
  const std::array titles{tr("Real"), tr("Simulated"), tr("Difference")};
  const std::array names{"compareReal", "compareSimulated", "compareDifference"};
  for (int i = 0; i < kCount; ++i) {
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
  readout_ = new QLabel(this);
  readout_->setObjectName(QStringLiteral("compareReadout"));
  readout_->setProperty("look", "caption");
  grid->addWidget(readout_, 1, 0, 1, kCount);
  grid->setRowStretch(0, 1);
  show(nullptr, {});
}

void ImageTriptych::addMethodTool(QWidget* tool) { panels_[kSimulated]->addTool(tool); }

void ImageTriptych::setSensor(const SensorDescription& sensor) {
  sensor_ = sensor;
  for (auto* map : maps_) map->setSensor(sensor);
}

void ImageTriptych::show(const ComparedImage* image, const ImageScales& scales) {
  const std::array<double, kCount> tops{scales.counts, scales.counts, scales.difference};
  for (std::size_t i = 0; i < kCount; ++i) {
    const bool either_way = i == kDifference;
    maps_[i]->setNumbers(
        [decimals = decimalsFor(tops[i])](double value) { return fixed(value, decimals); });
    maps_[i]->setScale(either_way ? -tops[i] : 0, tops[i], tr("counts"));
  }
  if (image == nullptr) {
    for (std::size_t i = 0; i < kCount; ++i) {
      maps_[i]->setValues({});
      panels_[i]->setCaption({});
    }
  } else {
    maps_[kReal]->setValues(image->measured);
    maps_[kSimulated]->setValues(image->predicted);
    maps_[kDifference]->setValues(differenceOf(*image));
    const double real = sum(image->measured, image->predicted);
    const double simulated = sum(image->predicted, image->measured);
    panels_[kReal]->setCaption(tr("%1 counts in all").arg(fixed(real, 0)));
    panels_[kSimulated]->setCaption(fixed(simulated, 0));
    panels_[kDifference]->setCaption(tr("real − simulated: %1").arg(fixed(real - simulated, 0)));
  }
  showContours();
  showReadout();
  emit changed();
}

void ImageTriptych::setContours(bool shown) {
  contours_ = shown;
  showContours();
}

void ImageTriptych::showContours() {
  const auto &real = maps_[kReal]->values(), &simulated = maps_[kSimulated]->values();
  const double level = largest(real) / 2;
  if (!contours_ || real.size() != simulated.size() || !(level > 0)) {
    for (auto* map : maps_) map->setLines({});
    return;
  }
  auto of_real = outlinesOf(sensor_, real, level, false);
  auto of_simulated = outlinesOf(sensor_, simulated, level, true);
  maps_[kReal]->setLines(of_real);
  maps_[kSimulated]->setLines(of_simulated);
  of_real.insert(of_real.end(), of_simulated.begin(), of_simulated.end());
  maps_[kDifference]->setLines(std::move(of_real));
}

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
