#include "app/workflow/press_repeats.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

#include "libcalib/forward/image_features.hpp"

namespace tactelier {
namespace {

constexpr double kAboveNoise = 0.02;  // of full scale, for centres and directions

auto placing_key(const RecordedImage& image) {
  const auto& p = image.press;
  return std::tuple(p.indenter.describe(), p.indenter.id, p.x_m, p.y_m, p.rz_rad, p.tilt_x_rad,
                    p.tilt_y_rad);
}

auto repeat_key(const RecordedImage& image) {
  const auto& p = image.press;
  return std::tuple(placing_key(image), p.force_N.value_or(0), p.mass_kg.value_or(0));
}

/// Of repeats at one place those under the largest load: under less, tactels near their threshold
/// move centre and direction by more than a hand does.
Repeats heaviest_by_hand(const std::vector<RecordedImage>& images) {
  std::map<decltype(placing_key(images[0])), std::vector<std::size_t>> heaviest;
  for (const auto& group : repeats_of(images)) {
    const auto& first = images[group[0]];
    if (!first.by_hand()) continue;
    auto& kept = heaviest[placing_key(first)];
    if (kept.empty() || first.load_N > images[kept[0]].load_N) kept = group;
  }
  Repeats groups;
  for (auto& [key, group] : heaviest) groups.push_back(std::move(group));
  return groups;
}

/// What stands out of the noise, whose lever at the array's far end would move a centre. Less the
/// level, so that a tactel that crosses it makes no jump.
std::vector<double> beyond(std::vector<double> counts, double level) {
  for (double& reading : counts) reading = reading > level ? reading - level : 0;
  return counts;
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
  const double level = kAboveNoise * full_scale.value_or(0);
  for (const auto& group : heaviest_by_hand(images)) {
    std::vector<double> x_m, y_m, turns_rad;
    std::optional<double> first_rad;
    for (const auto i : group) {
      if (const auto centre = image_centroid(layout, beyond(images[i].counts, level))) {
        x_m.push_back(centre->x_m);
        y_m.push_back(centre->y_m);
      }
      const auto direction = image_orientation(layout, images[i].counts, level);
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
