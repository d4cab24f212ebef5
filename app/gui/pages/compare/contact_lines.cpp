#include "app/gui/pages/compare/contact_lines.hpp"

#include <algorithm>
#include <cmath>

#include "app/gui/text/words.hpp"
#include "libcalib/forward/image_contours.hpp"
#include "libcalib/forward/image_features.hpp"
#include "libcalib/units.hpp"

namespace tactelier::gui {
namespace {

constexpr double kAboveNoise = 0.02;  // of full scale: the level of the figure `orientation`
constexpr double kCrossArm = 0.35, kDirectionArm = 2;  // cells, pitches

QPointF cellOf(const ImageLayout& cells, const ImagePoint& point) {
  return {point.x_m - cells.x_m.front(), point.y_m - cells.y_m.front()};
}

double largestOf(const std::vector<double>& image) {
  double top = 0;
  for (const double value : image) top = std::fmax(top, value);
  return top;
}

}  // namespace

ContactLines::ContactLines(const SensorModel& model) : sensor_(model.sensor) {
  const TactelReadout readout(model);
  contact_levels_ = readout.contact_levels();
  full_scale_ = readout.full_scale();
}

std::array<std::vector<MapLine>, kThirds> ContactLines::over(const ComparedImage& image,
                                                             Outline outline, bool centres) const {
  std::array<std::vector<MapLine>, kThirds> lines;
  if (sensor_.arrays.size() != 1) return lines;
  const double half = largestOf(image.measured) / 2;
  for (const bool simulated : {false, true}) {
    const auto& of = simulated ? image.predicted : image.measured;
    auto& own = lines[simulated ? kSimulated : kReal];
    if (outline == Outline::kHalf && half > 0) own = outlinesOf(of, half, simulated);
    if (outline == Outline::kContact) {
      auto above = of;
      for (std::size_t i = 0; i < above.size(); ++i) above[i] -= contact_levels_[i];
      own = outlinesOf(above, 0, simulated);
    }
    if (!centres) continue;
    const auto centre = centreOf(of, simulated);
    own.insert(own.end(), centre.begin(), centre.end());
  }
  lines[kDifference] = lines[kReal];
  lines[kDifference].insert(lines[kDifference].end(), lines[kSimulated].begin(),
                            lines[kSimulated].end());
  return lines;
}

std::vector<MapLine> ContactLines::outlinesOf(const std::vector<double>& image, double level,
                                              bool dashed) const {
  const auto& array = sensor_.arrays.front();
  const auto cells = ImageLayout::of_grid(array.rows, array.columns, 1, 1);
  std::vector<MapLine> lines;
  for (const auto& contour : image_contours(cells, image, level)) {
    MapLine line{{}, contour.closed, dashed};
    for (const auto& point : contour.points) line.places.push_back(cellOf(cells, point));
    lines.push_back(std::move(line));
  }
  return lines;
}

/// A cross, and a line through it where the image has a direction.
std::vector<MapLine> ContactLines::centreOf(const std::vector<double>& image, bool dashed) const {
  const auto& array = sensor_.arrays.front();
  const auto cells = ImageLayout::of_grid(array.rows, array.columns, 1, 1);
  const auto centre = image_centroid(cells, image);
  if (!centre) return {};
  const auto at = cellOf(cells, *centre);
  const auto through = [&](const QPointF& arm) {
    return MapLine{{at - arm, at + arm}, false, dashed};
  };
  std::vector<MapLine> lines{through({kCrossArm, 0}), through({0, kCrossArm})};
  const bool pitch = array.pitch_x_m > 0 && array.pitch_y_m > 0;
  const double pitch_x_m = pitch ? array.pitch_x_m : 1, pitch_y_m = pitch ? array.pitch_y_m : 1;
  const auto plane = ImageLayout::of_grid(array.rows, array.columns, pitch_x_m, pitch_y_m);
  const auto direction =
      image_orientation(plane, image, kAboveNoise * full_scale_.value_or(largestOf(image)));
  if (!direction || direction->elongation < kLeastElongation) return lines;
  const double arm_m = kDirectionArm * plane.pitch_m;
  lines.push_back(through({arm_m * std::cos(direction->angle_rad) / pitch_x_m,
                           arm_m * std::sin(direction->angle_rad) / pitch_y_m}));
  return lines;
}

std::optional<ImageOrientation> ContactLines::directionOf(const std::vector<double>& image) const {
  const auto direction = image_orientation(ImageLayout::of(sensor_), image,
                                           kAboveNoise * full_scale_.value_or(largestOf(image)));
  return direction && direction->elongation >= kLeastElongation ? direction : std::nullopt;
}

QString ContactLines::centreWords(const ComparedImage& image) const {
  const auto layout = ImageLayout::of(sensor_);
  const auto words = [&](const std::vector<double>& of) {
    const auto centre = image_centroid(layout, of);
    if (!centre) return TactileMapView::tr("none");
    return TactileMapView::tr("x %1 y %2 mm")
        .arg(fixed(m_to_mm(centre->x_m), 2), fixed(m_to_mm(centre->y_m), 2));
  };
  auto said = TactileMapView::tr("Centre of force: real %1, simulated %2")
                  .arg(words(image.measured), words(image.predicted));
  const auto real = directionOf(image.measured), simulated = directionOf(image.predicted);
  const auto angle = [](const std::optional<ImageOrientation>& direction) {
    return direction ? TactileMapView::tr("%1°").arg(fixed(rad_to_deg(direction->angle_rad), 1))
                     : TactileMapView::tr("none");
  };
  if (real || simulated)
    said += TactileMapView::tr(" · direction %1, %2").arg(angle(real), angle(simulated));
  return said;
}

}  // namespace tactelier::gui
