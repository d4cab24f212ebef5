#include "devices/supervision/confirmed_air.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier::rig {
namespace {

constexpr double kCell_m = 1e-3;
constexpr double kAround_m = 0.25e-3;  // a way along a cell's edge counts for both sides
constexpr double kLook_m = 0.25e-3;    // along a way
constexpr double kDoubt_m = 10e-6;     // of a position
constexpr double kTop_m = 2.5e-3;      // GRBL pulls off its switches by $27, 1 mm and more
constexpr double kOverSurface_m = 0.5e-3;

std::int64_t index(double at_m) { return static_cast<std::int64_t>(std::floor(at_m / kCell_m)); }

std::int64_t cell(double x_m, double y_m) { return (index(x_m) << 32) + index(y_m); }

double length_m(const Vector3& a, const Vector3& b) {
  return std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
}

Vector3 between(const Vector3& a, const Vector3& b, double share) {
  return {a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2])};
}

int looks(const Vector3& a, const Vector3& b) {
  return std::max(1, static_cast<int>(std::ceil(length_m(a, b) / kLook_m)));
}

}  // namespace

void ConfirmedAir::forget(double top_m) {
  lowest_m_.clear();
  free_above_m_ = top_m - kTop_m;
}

bool ConfirmedAir::confirmed(const Vector3& at_m) const {
  return at_m[2] >= free_above_m_ - kDoubt_m || been_at(at_m);
}

bool ConfirmedAir::been_at(const Vector3& at_m) const {
  const auto found = lowest_m_.find(cell(at_m[0], at_m[1]));
  return found != lowest_m_.end() && at_m[2] >= found->second - kDoubt_m;
}

void ConfirmedAir::lower(double x_m, double y_m, double z_m) {
  const auto [found, added] = lowest_m_.try_emplace(cell(x_m, y_m), z_m);
  if (!added) found->second = std::min(found->second, z_m);
}

void ConfirmedAir::confirm(const Vector3& from_m, const Vector3& to_m) {
  const int steps = looks(from_m, to_m);
  for (int i = 0; i <= steps; ++i) {
    const auto at_m = between(from_m, to_m, static_cast<double>(i) / steps);
    for (const double dx_m : {-kAround_m, kAround_m})
      for (const double dy_m : {-kAround_m, kAround_m})
        lower(at_m[0] + dx_m, at_m[1] + dy_m, at_m[2]);
  }
}

void ConfirmedAir::confirm_over(const PadFrame& frame, const SensorDescription& sensor) {
  double low_x = 0, high_x = 0, low_y = 0, high_y = 0;
  for (int i = 0; i < sensor.tactels(); ++i) {
    const auto p = sensor.position_m(i);
    low_x = std::min(low_x, p[0]);
    high_x = std::max(high_x, p[0]);
    low_y = std::min(low_y, p[1]);
    high_y = std::max(high_y, p[1]);
  }
  const auto& array = sensor.arrays.front();
  const double around_x = array.pitch_x_m, around_y = array.pitch_y_m;
  for (double x = low_x - around_x; x <= high_x + around_x; x += kCell_m / 2)
    for (double y = low_y - around_y; y <= high_y + around_y; y += kCell_m / 2) {
      const auto at_m = frame.stage_from_plan_m({x, y, kOverSurface_m});
      lower(at_m[0], at_m[1], at_m[2]);
    }
}

std::vector<Stretch> ConfirmedAir::split(const Vector3& from_m, const Vector3& to_m) const {
  const int steps = looks(from_m, to_m);
  const bool down = to_m[2] < from_m[2] - kDoubt_m;
  std::vector<Stretch> stretches;
  for (int i = 1; i <= steps; ++i) {
    const auto at_m = i == steps ? to_m : between(from_m, to_m, static_cast<double>(i) / steps);
    // Where the tip stands nothing is left to confirm: a piece is what its far end is.
    const bool known = down ? been_at(at_m) : confirmed(at_m);
    if (stretches.empty() || stretches.back().confirmed != known)
      stretches.push_back({at_m, known});
    stretches.back().to_m = at_m;
  }
  return stretches;
}

double ConfirmedAir::unconfirmed_m(const Vector3& from_m, const Vector3& to_m) const {
  double sum_m = 0;
  auto at_m = from_m;
  for (const auto& stretch : split(from_m, to_m)) {
    if (!stretch.confirmed) sum_m += length_m(at_m, stretch.to_m);
    at_m = stretch.to_m;
  }
  return sum_m;
}

}  // namespace tactelier::rig
