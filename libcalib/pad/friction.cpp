#include "libcalib/pad/friction.hpp"

#include <cmath>

namespace tactelier::pad {
namespace {

/// (1 - exp(-x)) / x
double phi(double x) { return x < 1e-8 ? 1 - x / 2 : -std::expm1(-x) / x; }

}  // namespace

Point Bristles::step_N(double dt_s, Point v, double normal_N) {
  if (normal_N <= 0 || !present()) {
    z_ = {};
    return {};
  }
  const double load = normal_N / truth_.reference_N;
  const double law = effects_.load_exponent == 0 ? 1 : std::pow(load, effects_.load_exponent);
  const double fresh = 1 + effects_.running_in * std::exp(-slid_m_ / effects_.running_in_m);
  const double form = truth_.proportional ? load : 1;
  // In series with the rig's shear spring a bristle deflects less for the same travel.
  const double stiffness = truth_.sigma0_N_per_m * form;
  const double sigma0 = stiffness / (1 + stiffness * shear_m_per_N_);
  const double sigma1 = truth_.sigma1_N_s_per_m * form;
  const double c_t = truth_.c_t_N_s_per_m * form;

  const double speed = std::hypot(v.x_m, v.y_m);
  const double ratio = speed / truth_.v_s_m_per_s;
  const double g = normal_N * law * fresh *
                   (truth_.mu_d + (truth_.mu_s - truth_.mu_d) * std::exp(-ratio * ratio));
  const double a = sigma0 * speed / g;
  const double keep = std::exp(-a * dt_s);
  const double gain = dt_s * phi(a * dt_s);
  z_.x_m = z_.x_m * keep + v.x_m * gain;
  z_.y_m = z_.y_m * keep + v.y_m * gain;
  slid_m_ += speed * dt_s;
  const auto force = [&](double z, double along) {
    return sigma0 * z + sigma1 * (along - a * z) + c_t * along;
  };
  return {force(z_.x_m, v.x_m), force(z_.y_m, v.y_m)};
}

}  // namespace tactelier::pad
