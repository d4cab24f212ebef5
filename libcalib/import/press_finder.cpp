#include "libcalib/import/press_finder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "libcalib/import/unloaded_level.hpp"

namespace tactelier {
namespace {

constexpr int kSettled = 3;  // samples in a row: a single spike is no press
constexpr double kBaseline_s = 0.2;
constexpr double kAirBefore_s = 10;
constexpr double kAirAfter_s = 2;

/// Half the distance to the nearest other tactel.
double half_spacing_m(const SensorDescription& sensor, int tactel) {
  const auto here = sensor.position_m(tactel);
  double least_m = std::numeric_limits<double>::infinity();
  for (int other = 0; other < sensor.tactels(); ++other) {
    if (other == tactel) continue;
    const auto there = sensor.position_m(other);
    least_m = std::min(least_m, std::hypot(there[0] - here[0], there[1] - here[1]));
  }
  return least_m / 2;
}

}  // namespace

void ThresholdPresses::add(const TracedRow& row) {
  if (row.measured && !std::isnan(row.force_N))
    rows_.push_back({row.t_s, row.force_N, row.x_m, row.y_m});
}

double ThresholdPresses::baseline_N() const {
  std::vector<double> forces_N;
  forces_N.reserve(rows_.size());
  std::size_t start = 0;
  for (const auto& row : rows_) {
    forces_N.push_back(row.force_N);
    const bool settled = start >= kBaselineRows && row.t_s - rows_.front().t_s > kBaseline_s;
    if (!settled) start = forces_N.size();
  }
  return unloaded_level(forces_N, start);
}

void ThresholdPresses::follow(const Row& row) {
  const double force_N = row.force_N - baseline_N_;
  largest_N_ = std::max(largest_N_, force_N);
  const bool change = touching_ ? force_N < threshold_N_ / 2 : force_N > threshold_N_;
  if (!change) {
    run_ = 0;
    return;
  }
  if (run_++ == 0) run_first_ = row;
  if (run_ < kSettled) return;
  run_ = 0;
  if (touching_)
    touches_.back().release_s = run_first_.t_s;
  else
    touches_.push_back({run_first_.t_s, run_first_.t_s, run_first_.x_m, run_first_.y_m});
  touching_ = !touching_;
}

double ThresholdPresses::between_rows_s(double time_s) const {
  constexpr double kRounding_s = 1e-6;  // of seconds since 1970 in a double, and then some
  const auto next = std::lower_bound(rows_.begin(), rows_.end(), time_s - kRounding_s,
                                     [](const Row& row, double t_s) { return row.t_s < t_s; });
  if (next == rows_.begin() || next == rows_.end()) return time_s;
  return ((next - 1)->t_s + next->t_s) / 2;
}

std::vector<FoundEvent> ThresholdPresses::finish() {
  if (rows_.empty()) return {};
  baseline_N_ = baseline_N();
  for (const auto& row : rows_) follow(row);
  const double first_s = rows_.front().t_s, last_s = rows_.back().t_s;
  ended_in_contact_ = touching_;
  if (touching_) touches_.back().release_s = last_s;
  std::vector<FoundEvent> presses;
  // Halfway from one press to the next, the same number for both: else they overlap by its last
  // digit.
  const auto between_s = [&](std::size_t next) {
    return between_rows_s((touches_[next - 1].release_s + touches_[next].contact_s) / 2);
  };
  for (std::size_t i = 0; i < touches_.size(); ++i) {
    const auto& touch = touches_[i];
    FoundEvent press;
    press.begin_s =
        std::max(i == 0 ? first_s : between_s(i), between_rows_s(touch.contact_s - kAirBefore_s));
    press.end_s = std::min(i + 1 == touches_.size() ? last_s : between_s(i + 1),
                           between_rows_s(touch.release_s + kAirAfter_s));
    press.x_m = touch.x_m;
    press.y_m = touch.y_m;
    presses.push_back(press);
  }
  return presses;
}

std::optional<int> tactel_at(const SensorDescription& sensor, double x_m, double y_m) {
  constexpr double kRounding_m = 1e-9;  // places and pitches come as decimal millimetres
  std::optional<int> nearest;
  double least_m = std::numeric_limits<double>::infinity();
  for (int tactel = 0; tactel < sensor.tactels(); ++tactel) {
    const auto& array = sensor.array_of(tactel);
    const auto centre_m = sensor.position_m(tactel);
    const double yaw_rad = array.pose.rpy_rad[2];
    const double dx_m = x_m - centre_m[0];
    const double dy_m = y_m - centre_m[1];
    const double along_m = std::cos(yaw_rad) * dx_m + std::sin(yaw_rad) * dy_m;
    const double across_m = -std::sin(yaw_rad) * dx_m + std::cos(yaw_rad) * dy_m;
    const bool pitched = array.pitch_x_m > 0 && array.pitch_y_m > 0;
    const double half_m = pitched ? 0 : half_spacing_m(sensor, tactel);
    const double half_x_m = pitched ? array.pitch_x_m / 2 : half_m;
    const double half_y_m = pitched ? array.pitch_y_m / 2 : half_m;
    const double distance_m = std::hypot(dx_m, dy_m);
    if (std::abs(along_m) <= half_x_m + kRounding_m &&
        std::abs(across_m) <= half_y_m + kRounding_m && distance_m < least_m - kRounding_m) {
      nearest = tactel;
      least_m = distance_m;
    }
  }
  return nearest;
}

}  // namespace tactelier
