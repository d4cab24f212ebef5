#include "libcalib/pad/force_sensor.hpp"

#include <cmath>
#include <numbers>

namespace tactelier::pad {
namespace {

constexpr std::size_t kFz = 2;
constexpr double kDefaultArm_m = 10e-3;

}  // namespace

ForceSensor::ForceSensor(const ForceSensorEffects& effects, std::uint64_t seed)
    : effects_(effects), random_(seed, "force sensor") {
  gains_.fill(1 + effects.gain_error * random_.normal());
  const auto sign = [&] { return random_.uniform() < 0.5 ? -1.0 : 1.0; };
  const double arm = effects.noise_arm_m > 0 ? effects.noise_arm_m : kDefaultArm_m;
  for (std::size_t i = 0; i < cross_.size(); ++i) {
    const double scale = i < 3 ? 1 : arm;
    cross_[i] = i == kFz ? 0 : sign() * effects.cross_axis * scale;
    drift_sign_[i] = sign() * scale;
  }
  if (!effects.axes_differ) return;
  Random axes(seed, "force sensor axes");
  for (std::size_t i = 0; i < cross_.size(); ++i) {
    if (i == kFz) continue;
    gains_[i] = 1 + effects.gain_error * axes.normal();
    cross_[i] *= axes.uniform();
  }
}

Wrench ForceSensor::sample(double t_s, double dt_s, const Wrench& truth, bool stepping) {
  if (effects_.low_pass_hz > 0) {
    const double x = 2 * std::numbers::pi * effects_.low_pass_hz * dt_s;
    if (dt_s != filter_dt_s_) {
      filter_dt_s_ = dt_s;
      filter_keep_ = std::exp(-x);
      filter_gain_ = -std::expm1(-x) / x;
    }
    // Exact for a force that is linear between samples: the lag behind a ramp is the filter's own.
    for (std::size_t i = 0; i < truth.size(); ++i)
      filtered_[i] = filter_keep_ * filtered_[i] + (filter_gain_ - filter_keep_) * before_[i] +
                     (1 - filter_gain_) * truth[i];
    before_ = truth;
  } else {
    filtered_ = truth;
  }
  const double zero =
      effects_.drift_N_per_s * t_s - effects_.warm_up_N * std::expm1(-t_s / effects_.warm_up_s);
  const double noise =
      stepping && effects_.noise_stepping_N > 0 ? effects_.noise_stepping_N : effects_.noise_N;
  Wrench reading;
  for (std::size_t i = 0; i < reading.size(); ++i) {
    reading[i] = gains_[i] * (filtered_[i] + cross_[i] * filtered_[kFz]) + drift_sign_[i] * zero;
    const double scale = i < 3 ? 1 : effects_.noise_arm_m;
    if (noise > 0) reading[i] += scale * noise * random_.normal();
    const double step = scale * effects_.resolution_N;
    if (step > 0) reading[i] = std::round(reading[i] / step) * step;
  }
  return reading;
}

}  // namespace tactelier::pad
