#include "libcalib/pad/friction.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier::pad {
namespace {

constexpr double kTolerance = 1e-12;  // relative
constexpr int kMostSteps = 60;

/// (1 - exp(-x)) / x
double phi(double x) { return x < 1e-8 ? 1 - x / 2 : -std::expm1(-x) / x; }

}  // namespace

Point Bristles::velocity(const Law& law, Point driven) const {
  if (shear_m_per_N_ == 0) return driven;
  const double per_speed = law.dt_s / shear_m_per_N_;
  const auto at_speed = [&](double speed) -> Point {
    const double a = law.sigma0 * speed / law.g_N;
    const double stiffness = law.sigma0 - law.sigma1 * a;
    const double kept = stiffness * std::exp(-a * law.dt_s);
    const double all = stiffness * law.dt_s * phi(a * law.dt_s) + law.sigma1 + law.c_t + per_speed;
    return {(per_speed * driven.x_m + force_N_.x_m - kept * z_.x_m) / all,
            (per_speed * driven.y_m + force_N_.y_m - kept * z_.y_m) / all};
  };
  const auto beyond = [&](double speed) {
    const Point u = at_speed(speed);
    return speed - std::hypot(u.x_m, u.y_m);
  };
  double low = 0, below = beyond(low);
  if (below == 0) return {};
  double high = std::max(std::hypot(driven.x_m, driven.y_m), -below), above = beyond(high);
  while (above < 0) {
    low = high;
    below = above;
    high *= 2;
    above = beyond(high);
  }
  // Regula falsi after Illinois: M. Dowell and P. Jarratt, BIT 11 (1971).
  double speed = high;
  for (int side = 0, i = 0; i < kMostSteps && above > 0 && high - low > kTolerance * high; ++i) {
    speed = high - above * (high - low) / (above - below);
    const double off = beyond(speed);
    if (std::abs(off) <= kTolerance * speed) break;
    const bool is_high = off > 0;
    (is_high ? high : low) = speed;
    (is_high ? above : below) = off;
    const int now = is_high ? 1 : -1;
    if (side == now) (is_high ? below : above) /= 2;
    side = now;
  }
  return at_speed(speed);
}

Point Bristles::step_N(double dt_s, Point v, double normal_N) {
  if (normal_N <= 0 || !present()) {
    z_ = force_N_ = {};
    return {};
  }
  const double load = normal_N / truth_.reference_N;
  const double law = effects_.load_exponent == 0 ? 1 : std::pow(load, effects_.load_exponent);
  const double fresh = 1 + effects_.running_in * std::exp(-slid_m_ / effects_.running_in_m);
  const double form = truth_.proportional ? load : 1;
  const double sigma0 = truth_.sigma0_N_per_m * form;
  const double sigma1 = truth_.sigma1_N_s_per_m * form;
  const double c_t = truth_.c_t_N_s_per_m * form;

  const double driven = std::hypot(v.x_m, v.y_m) / truth_.v_s_m_per_s;
  const double g = normal_N * law * fresh *
                   (truth_.mu_d + (truth_.mu_s - truth_.mu_d) * std::exp(-driven * driven));
  const Point u = velocity({dt_s, sigma0, sigma1, c_t, g}, v);
  const double speed = std::hypot(u.x_m, u.y_m);
  const double a = sigma0 * speed / g;
  const double keep = std::exp(-a * dt_s);
  const double gain = dt_s * phi(a * dt_s);
  z_.x_m = z_.x_m * keep + u.x_m * gain;
  z_.y_m = z_.y_m * keep + u.y_m * gain;
  slid_m_ += speed * dt_s;
  const auto force = [&](double z, double along) {
    return sigma0 * z + sigma1 * (along - a * z) + c_t * along;
  };
  force_N_ = {force(z_.x_m, u.x_m), force(z_.y_m, u.y_m)};
  return force_N_;
}

}  // namespace tactelier::pad
