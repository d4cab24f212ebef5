#include "libcalib/pad/magnetic_axis.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactelier::pad {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;
constexpr double kPiece_s = 25e-6;
constexpr double kStill_m = 1e-12;
constexpr double kStill_m_per_s = 1e-9;

}  // namespace

MagneticAxis::MagneticAxis(double frequency_hz, double damping_ratio, double period_m)
    : frequency_hz_(frequency_hz), damping_(damping_ratio), period_m_(period_m) {}

void MagneticAxis::rest_at(double at_m) {
  place_m_ = at_m;
  speed_m_per_s_ = 0;
}

double MagneticAxis::acceleration_m_per_s2(double place_m, double speed_m_per_s,
                                           double held_m) const {
  const double w = kTwoPi * frequency_hz_;
  const double pull_m = period_m_ / kTwoPi * std::sin(kTwoPi * (place_m - held_m) / period_m_);
  return -2 * damping_ * w * speed_m_per_s - w * w * pull_m;
}

void MagneticAxis::follow(double dt_s, double held_m) {
  if (std::abs(place_m_ - held_m) < kStill_m && std::abs(speed_m_per_s_) < kStill_m_per_s)
    return rest_at(held_m);
  const double pieces = std::max(1.0, std::ceil(dt_s / kPiece_s));
  const double h = dt_s / pieces;
  for (int i = 0; i < static_cast<int>(pieces); ++i) {
    const double x = place_m_, v = speed_m_per_s_;
    const double a1 = acceleration_m_per_s2(x, v, held_m);
    const double v2 = v + h / 2 * a1;
    const double a2 = acceleration_m_per_s2(x + h / 2 * v, v2, held_m);
    const double v3 = v + h / 2 * a2;
    const double a3 = acceleration_m_per_s2(x + h / 2 * v2, v3, held_m);
    const double v4 = v + h * a3;
    const double a4 = acceleration_m_per_s2(x + h * v3, v4, held_m);
    place_m_ += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    speed_m_per_s_ += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
}

}  // namespace tactelier::pad
