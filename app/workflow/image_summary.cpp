#include "app/workflow/image_summary.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier {
namespace {

constexpr double kMesh_m = 1e-3;                          // its files are in mm
constexpr double kAboveNoise = 0.02, kHoughLevel = 0.10;  // of the top, as metrics have it

double largest_of(std::span<const double> image) {
  double largest = 0;
  for (const double value : image) largest = std::fmax(largest, value);
  return largest;
}

}  // namespace

double ImageSummary::Contours::area_m2() const {
  double sum_m2 = 0;
  for (const auto& line : lines) sum_m2 += line.area_m2();
  return sum_m2;
}

ImageSummariser ImageSummariser::of_layout(ImageLayout layout, const SummaryWish& wish) {
  ImageSummariser summariser;
  summariser.layout_ = std::move(layout);
  summariser.percents_ = wish.contour_percents;
  return summariser;
}

Result<ImageSummariser> ImageSummariser::create(const SensorDescription& sensor,
                                                const SummaryWish& wish) {
  auto summariser = of_layout(ImageLayout::of(sensor), wish);
  if (wish.fingertip.empty()) return summariser;
  const auto corners = corner_tactels(sensor);
  if (!corners) return fail(corners.error());
  auto mesh = read_surface(wish.fingertip, kMesh_m);
  if (!mesh) return fail(mesh.error());
  auto map = FingertipMap::create(std::move(*mesh), *corners, summariser.layout_.pitch_m);
  if (!map) return fail(map.error(), wish.fingertip.filename().string());
  summariser.array_ = sensor.arrays.front();
  summariser.fingertip_ = std::move(*map);
  return summariser;
}

ImageSummary ImageSummariser::operator()(std::span<const double> image,
                                         std::optional<double> top) const {
  ImageSummary summary;
  const double largest = largest_of(image), scale = top.value_or(largest);
  summary.total = image_total(image);
  summary.area = image_area(image, kAboveNoise * scale);
  summary.centroid = image_centroid(layout_, image);
  summary.orientation = image_orientation(layout_, image, kAboveNoise * scale);
  summary.hough_rad = hough_line_rad(layout_, image, kHoughLevel * scale);
  for (const double percent : percents_) {
    const double level = percent / 100 * largest;
    summary.contours.push_back({percent, level, image_contours(layout_, image, level)});
  }
  if (!fingertip_) return summary;
  if (const auto centre = centre_in_plane(*array_, image)) {
    const auto distances_m = distances_in_plane(*array_, (*centre)[0], (*centre)[1]);
    using Distance = FingertipMap::Distance;
    summary.on_fingertip = {fingertip_->place(distances_m, Distance::kGeodesic),
                            fingertip_->place(distances_m, Distance::kChord)};
  }
  return summary;
}

}  // namespace tactelier
