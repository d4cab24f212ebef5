#include "devices/rig/tare_history.hpp"

#include <cmath>

namespace tactelier::rig {
namespace {

constexpr double kShift_N = 30e-3;
constexpr double kDrift_N_per_s = 3e-3 / 60;

}  // namespace

std::optional<RefusedTare> TareHistory::add(double zero_N, std::int64_t time_ns) {
  const Tare tare{zero_N, time_ns};
  if (!last_) {
    last_ = tare;
    return std::nullopt;
  }
  const double after_s = static_cast<double>(time_ns - last_->time_ns) * 1e-9;
  const double allowed_N = kShift_N + kDrift_N_per_s * after_s;
  const double shift_N = zero_N - last_->zero_N;
  if (std::abs(shift_N) > allowed_N) return RefusedTare{shift_N, allowed_N, after_s};
  last_ = tare;
  return std::nullopt;
}

}  // namespace tactelier::rig
