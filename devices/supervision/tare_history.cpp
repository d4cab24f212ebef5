#include "devices/supervision/tare_history.hpp"

#include <cmath>

namespace tactelier::rig {
namespace {

constexpr double kShift_N = 30e-3;
constexpr double kDrift_N_per_s = 3e-3 / 60;
constexpr double kCable_N_per_m = 0.5;

}  // namespace

std::optional<RefusedTare> TareHistory::add(double zero_N, const std::array<double, 3>& at_m,
                                            std::int64_t time_ns) {
  const Tare tare{zero_N, at_m, time_ns};
  if (!last_) {
    last_ = tare;
    return std::nullopt;
  }
  const double after_s = static_cast<double>(time_ns - last_->time_ns) * 1e-9;
  const double way_m =
      std::hypot(at_m[0] - last_->at_m[0], at_m[1] - last_->at_m[1], at_m[2] - last_->at_m[2]);
  const double allowed_N = kShift_N + kDrift_N_per_s * after_s + kCable_N_per_m * way_m;
  const double shift_N = zero_N - last_->zero_N;
  if (std::abs(shift_N) > allowed_N) return RefusedTare{shift_N, allowed_N, after_s};
  last_ = tare;
  return std::nullopt;
}

}  // namespace tactelier::rig
