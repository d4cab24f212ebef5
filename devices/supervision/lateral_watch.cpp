#include "devices/supervision/lateral_watch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tactelier::rig {
namespace {

constexpr double kSmooth_s = 2e-3;
constexpr double kDrift_s = 1;
constexpr double kCollision_N = 0.3;

double share_of(double time_s, double rate_hz) { return std::min(1.0, 1 / (time_s * rate_hz)); }

}  // namespace

LateralWatch::LateralWatch(std::size_t press_axis, double rate_hz)
    : press_axis_(press_axis),
      smooth_(share_of(kSmooth_s, rate_hz)),
      drift_(share_of(kDrift_s, rate_hz)) {}

void LateralWatch::see(const std::array<double, 3>& force_N, bool in_air) {
  if (!std::exchange(begun_, true)) mean_N_ = force_N;
  for (std::size_t i = 0; i < 3; ++i) mean_N_[i] += smooth_ * (force_N[i] - mean_N_[i]);
  if (in_air && !std::exchange(zero_known_, true)) zero_N_ = mean_N_;
  if (!zero_known_) return;
  std::array<double, 3> felt_N{};
  for (std::size_t i = 0; i < 3; ++i) felt_N[i] = mean_N_[i] - zero_N_[i];
  const double all_N = std::hypot(felt_N[0], felt_N[1], felt_N[2]);
  press_N_ = std::max(press_N_, std::abs(felt_N[press_axis_]));
  felt_N[press_axis_] = 0;
  side_N_ = std::max(side_N_, std::hypot(felt_N[0], felt_N[1], felt_N[2]));
  if (!in_air) return;
  if (all_N > kCollision_N) collided_ = true;
  for (std::size_t i = 0; i < 3; ++i) zero_N_[i] += drift_ * (mean_N_[i] - zero_N_[i]);
}

}  // namespace tactelier::rig
