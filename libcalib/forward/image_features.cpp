#include "libcalib/forward/image_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tactelier {
namespace {

constexpr int kNormals = 180;          // over half a turn
constexpr double kBetterVotes = 1e-9;  // of a later normal, else rounding would choose
constexpr std::size_t kFewestOnLine = 3;

}  // namespace

double image_total(std::span<const double> image) {
  double total = 0;
  for (const double value : image)
    if (!std::isnan(value)) total += value;
  return total;
}

std::optional<ImagePoint> image_centroid(const ImageLayout& layout, std::span<const double> image) {
  const double total = image_total(image);
  if (!(total > 0)) return {};
  ImagePoint centre;
  for (std::size_t i = 0; i < image.size(); ++i) {
    if (std::isnan(image[i])) continue;
    centre.x_m += image[i] / total * layout.x_m[i];
    centre.y_m += image[i] / total * layout.y_m[i];
  }
  return centre;
}

std::size_t image_area(std::span<const double> image, double level) {
  return static_cast<std::size_t>(
      std::count_if(image.begin(), image.end(), [&](double value) { return value > level; }));
}

std::optional<ImageOrientation> image_orientation(const ImageLayout& layout,
                                                  std::span<const double> image, double level) {
  std::vector<double> above(image.size(), 0.0);
  for (std::size_t i = 0; i < image.size(); ++i)
    if (image[i] > level) above[i] = image[i];
  const auto centre = image_centroid(layout, above);
  if (!centre) return {};
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < above.size(); ++i) {
    const double dx_m = layout.x_m[i] - centre->x_m, dy_m = layout.y_m[i] - centre->y_m;
    xx += above[i] * dx_m * dx_m;
    xy += above[i] * dx_m * dy_m;
    yy += above[i] * dy_m * dy_m;
  }
  const double mean = (xx + yy) / 2, radius = std::hypot((xx - yy) / 2, xy);
  if (mean <= 0) return {};
  double angle_rad = 0.5 * std::atan2(2 * xy, xx - yy);
  if (angle_rad < 0) angle_rad += std::numbers::pi;
  const double smaller = mean - radius;
  return ImageOrientation{angle_rad, smaller > 1e-12 * mean
                                         ? (mean + radius) / smaller
                                         : std::numeric_limits<double>::infinity()};
}

std::optional<double> hough_line_rad(const ImageLayout& layout, std::span<const double> image,
                                     double level) {
  if (!(layout.pitch_m > 0)) return {};
  std::vector<ImagePoint> pressed;
  for (std::size_t i = 0; i < image.size(); ++i)
    if (image[i] > level) pressed.push_back({layout.x_m[i], layout.y_m[i]});
  if (pressed.size() < kFewestOnLine) return {};
  double most_votes = 0, line_rad = 0;
  std::vector<double> rho(pressed.size());  // from the origin, in pitches
  for (int step = 0; step < kNormals; ++step) {
    const double normal_rad = step * std::numbers::pi / kNormals;
    for (std::size_t i = 0; i < pressed.size(); ++i)
      rho[i] = (pressed[i].x_m * std::cos(normal_rad) + pressed[i].y_m * std::sin(normal_rad)) /
               layout.pitch_m;
    for (const double at : rho) {
      double votes = 0;
      for (const double other : rho) votes += std::max(0.0, 1 - std::abs(other - at));
      if (votes <= most_votes + kBetterVotes) continue;
      most_votes = votes;
      line_rad = std::fmod(normal_rad + std::numbers::pi / 2, std::numbers::pi);
    }
  }
  return line_rad;
}

double axis_difference_rad(double a_rad, double b_rad) {
  const double turned = std::fmod(std::abs(a_rad - b_rad), std::numbers::pi);
  return std::min(turned, std::numbers::pi - turned);
}

}  // namespace tactelier
