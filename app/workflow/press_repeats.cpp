#include "app/workflow/press_repeats.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

#include "libcalib/forward/image_features.hpp"

namespace tactelier {
namespace {

constexpr double kAboveNoise = 0.02;  // of full scale, for directions

auto repeat_key(const RecordedImage& image) {
  const auto& p = image.press;
  return std::tuple(p.indenter.describe(), p.indenter.id, p.x_m, p.y_m, p.rz_rad, p.tilt_x_rad,
                    p.tilt_y_rad, p.force_N.value_or(0), p.mass_kg.value_or(0));
}

/// Pooled over groups, each about its own mean.
struct PooledVariance {
  double squares = 0, dof = 0;

  void add(const std::vector<double>& values) {
    if (values.size() < 2) return;
    const auto n = static_cast<double>(values.size());
    double mean = 0;
    for (const double value : values) mean += value / n;
    for (const double value : values) squares += (value - mean) * (value - mean);
    dof += n - 1;
  }
  double deviation() const { return dof > 0 ? std::sqrt(squares / dof) : 0; }
};

}  // namespace

Repeats repeats_of(const std::vector<RecordedImage>& images) {
  std::map<decltype(repeat_key(images[0])), std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < images.size(); ++i) groups[repeat_key(images[i])].push_back(i);
  Repeats repeats;
  for (auto& [key, group] : groups)
    if (group.size() > 1) repeats.push_back(std::move(group));
  return repeats;
}

Placing placing_of(const ImageLayout& layout, std::optional<double> full_scale,
                   const std::vector<RecordedImage>& images) {
  PooledVariance place, turn;
  for (const auto& group : repeats_of(images)) {
    if (!images[group[0]].by_hand()) continue;
    std::vector<double> x_m, y_m, turns_rad;
    std::optional<double> first_rad;
    for (const auto i : group) {
      if (const auto centre = image_centroid(layout, images[i].counts)) {
        x_m.push_back(centre->x_m);
        y_m.push_back(centre->y_m);
      }
      const auto direction =
          image_orientation(layout, images[i].counts, kAboveNoise * full_scale.value_or(0));
      if (!direction || direction->elongation < kLeastElongation) continue;
      if (!first_rad) first_rad = direction->angle_rad;
      turns_rad.push_back(std::remainder(direction->angle_rad - *first_rad, std::numbers::pi));
    }
    place.add(x_m);
    place.add(y_m);
    turn.add(turns_rad);
  }
  return {place.deviation(), turn.deviation()};
}

std::pair<double, double> compared_totals(const std::vector<double>& a,
                                          const std::vector<double>& b) {
  std::pair<double, double> totals{0, 0};
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) || std::isnan(b[i])) continue;
    totals.first += a[i];
    totals.second += b[i];
  }
  return totals;
}

}  // namespace tactelier
