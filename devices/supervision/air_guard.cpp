#include "devices/supervision/air_guard.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier::rig {
namespace {

// A mean that forgets within 10 ms scatters as one of 20 ms does.
constexpr double kMean_s = 10e-3;
constexpr double kZero_s = 1;
constexpr double kScatter_s = 1;
constexpr double kEnoughMotion_s = 0.5;
constexpr double kLeast_N = 50e-3, kSigmas = 8;
constexpr double kMovingOverResting = 3;  // motors that step shake the sensor
constexpr double kDrift_N_per_s = 3e-3 / 60;

double share(double dt_s, double tau_s) { return 1 - std::exp(-dt_s / tau_s); }

double length(const std::array<double, 3>& v) { return std::hypot(v[0], v[1], v[2]); }

std::array<double, 3> difference(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

}  // namespace

void AirGuard::see(const std::array<double, 3>& force_N, std::int64_t time_ns, AirWatch watch) {
  const double dt_s =
      begun_ ? static_cast<double>(std::max<std::int64_t>(0, time_ns - time_ns_)) * 1e-9 : 0;
  if (!begun_) mean_N_ = force_N;
  begun_ = true;
  time_ns_ = time_ns;
  newest_N_ = force_N;
  const double newer = share(dt_s, kMean_s);
  for (std::size_t i = 0; i < 3; ++i) mean_N_[i] += newer * (force_N[i] - mean_N_[i]);
  if (zero_known_ && (watch == AirWatch::kResting || watch == AirWatch::kMoving))
    follow(dt_s, watch);
}

void AirGuard::follow(double dt_s, AirWatch watch) {
  const auto felt = felt_vector_N();
  const double squared = (felt[0] * felt[0] + felt[1] * felt[1] + felt[2] * felt[2]) / 3;
  // A contact that begins is no noise.
  if (std::sqrt(squared) < limit_N() / 2) {
    auto& variance = watch == AirWatch::kMoving ? variance_moving_ : variance_resting_;
    variance += share(dt_s, kScatter_s) * (squared - variance);
    if (watch == AirWatch::kMoving) moved_s_ += dt_s;
  }
  const double newer = share(dt_s, kZero_s);
  for (std::size_t i = 0; i < 3; ++i) zero_N_[i] += newer * felt[i];
  zero_ns_ = time_ns_;
}

void AirGuard::set_zero(const std::array<double, 3>& zero_N, double noise_N) {
  zero_N_ = zero_N;
  variance_resting_ = std::max(variance_resting_, noise_N * noise_N);
  zero_ns_ = time_ns_;
  zero_known_ = true;
}

std::array<double, 3> AirGuard::felt_vector_N() const {
  return zero_known_ ? difference(mean_N_, zero_N_) : std::array<double, 3>{};
}

double AirGuard::felt_N() const { return length(felt_vector_N()); }

double AirGuard::felt_at_once_N() const {
  return zero_known_ ? length(difference(newest_N_, zero_N_)) : 0;
}

double AirGuard::noise_N() const {
  const double resting = kMovingOverResting * std::sqrt(variance_resting_);
  return moved_s_ >= kEnoughMotion_s ? std::sqrt(variance_moving_) : resting;
}

double AirGuard::limit_N() const {
  const double idle_s = static_cast<double>(std::max<std::int64_t>(0, time_ns_ - zero_ns_)) * 1e-9;
  return std::max(kLeast_N, kSigmas * noise_N()) + kDrift_N_per_s * idle_s;
}

}  // namespace tactelier::rig
