#pragma once
// LuGre friction: bristles of length z that bend, slide and let go.
//   g(v) = N [mu_d + (mu_s - mu_d) exp(-(v/v_s)^2)],  z' = v - a z,  a = sigma0 |v| / g
//   F    = sigma0 z + sigma1 z' + c_t v               on the pad, along the indenter's sliding
// v in m/s, N and F in N, z in m. At constant speed F = g sgn(v) + c_t v, without sigma0 and
// sigma1: they show in presliding only. Steps are exact for constant v and N within one step,
// whatever its length; explicit steps blow up for stiff bristles and implicit Euler biases sigma1
// by -21 %. Source: Canudas de Wit et al., IEEE Trans. Automatic Control 40(3), 1995;
// docs/theory/friction.md.

#include <array>
#include <cmath>
#include <cstddef>

namespace tactelier {

enum LugreIndex : std::size_t {
  kLugreSigma0,  // bristle stiffness, N/m
  kLugreSigma1,  // bristle damping, N s/m
  kLugreViscous,
  kLugreStatic,    // mu_s
  kLugreDynamic,   // mu_d
  kLugreStribeck,  // v_s, m/s
  kLugreSize,
};

/// SI, in LugreIndex order.
using LugreValues = std::array<double, kLugreSize>;

/// What the bristles can carry at speed v under the load N.
inline double lugre_level_N(const LugreValues& p, double velocity_m_per_s, double normal_N) {
  const double ratio = velocity_m_per_s / p[kLugreStribeck];
  return normal_N *
         (p[kLugreDynamic] + (p[kLugreStatic] - p[kLugreDynamic]) * std::exp(-ratio * ratio));
}

/// Force of steady sliding.
inline double lugre_steady_N(const LugreValues& p, double velocity_m_per_s, double normal_N) {
  if (velocity_m_per_s == 0) return 0;
  return std::copysign(lugre_level_N(p, velocity_m_per_s, normal_N), velocity_m_per_s) +
         p[kLugreViscous] * velocity_m_per_s;
}

/// Bristles with the derivatives of z and F by all six parameters and by the first z.
class LugreBristle {
 public:
  explicit LugreBristle(double z_m = 0) : z_m_(z_m) {}

  /// Force at the end of a step.
  double step_N(const LugreValues& p, double dt_s, double velocity_m_per_s, double normal_N);
  /// The same; gradient[i] = dF/dp_i, gradient[kLugreSize] = dF/dz(0).
  double step_N(const LugreValues& p, double dt_s, double velocity_m_per_s, double normal_N,
                std::array<double, kLugreSize + 1>& gradient);

  double deflection_m() const { return z_m_; }

 private:
  double z_m_;
  std::array<double, kLugreSize> slope_{};  // dz/dp; those of sigma1 and c_t stay 0
  double start_slope_ = 1;                  // dz/dz(0)
};

namespace lugre_detail {

/// (1 - exp(-x)) / x and its derivative, with keep = exp(-x).
inline double phi(double x, double keep) {
  return x < 1e-4 ? 1 - x / 2 + x * x / 6 : (1 - keep) / x;
}
inline double phi_slope(double x, double keep) {
  return x < 1e-4 ? -0.5 + x / 3 : (keep * (1 + x) - 1) / (x * x);
}

}  // namespace lugre_detail

inline double LugreBristle::step_N(const LugreValues& p, double dt_s, double v, double normal_N) {
  const double a = p[kLugreSigma0] * std::abs(v) / lugre_level_N(p, v, normal_N);
  const double x = a * dt_s;
  const double keep = std::exp(-x);
  z_m_ = z_m_ * keep + v * dt_s * lugre_detail::phi(x, keep);
  return p[kLugreSigma0] * z_m_ + p[kLugreSigma1] * (v - a * z_m_) + p[kLugreViscous] * v;
}

inline double LugreBristle::step_N(const LugreValues& p, double dt_s, double v, double normal_N,
                                   std::array<double, kLugreSize + 1>& gradient) {
  const double ratio = v / p[kLugreStribeck];
  const double drop = std::exp(-ratio * ratio);
  const double span = p[kLugreStatic] - p[kLugreDynamic];
  const double g = normal_N * (p[kLugreDynamic] + span * drop);
  const double speed = std::abs(v);
  const double a = p[kLugreSigma0] * speed / g;
  const double x = a * dt_s;
  const double keep = std::exp(-x);
  const double by_rate =
      (-z_m_ * keep + v * dt_s * lugre_detail::phi_slope(x, keep)) * dt_s;  // dz+/da
  z_m_ = z_m_ * keep + v * dt_s * lugre_detail::phi(x, keep);
  start_slope_ *= keep;
  const double level = -a / g * normal_N;  // da/dmu = level * share
  const std::array<double, kLugreSize> rate{
      speed / g,
      0,
      0,
      level * drop,
      level * (1 - drop),
      level * span * drop * 2 * ratio * ratio / p[kLugreStribeck]};
  const double left = p[kLugreSigma0] - p[kLugreSigma1] * a;
  const double z_rate = v - a * z_m_;
  for (const std::size_t i : {kLugreSigma0, kLugreStatic, kLugreDynamic, kLugreStribeck}) {
    slope_[i] = keep * slope_[i] + by_rate * rate[i];
    gradient[i] = left * slope_[i] - p[kLugreSigma1] * z_m_ * rate[i];
  }
  gradient[kLugreSigma0] += z_m_;
  gradient[kLugreSigma1] = z_rate;
  gradient[kLugreViscous] = v;
  gradient[kLugreSize] = left * start_slope_;
  return p[kLugreSigma0] * z_m_ + p[kLugreSigma1] * z_rate + p[kLugreViscous] * v;
}

/// Speed up to which v -> F never gives energy back (docs/theory/friction.md 5); infinite where
/// c_t >= sigma1 (mu_s - mu_d) / mu_d.
double lugre_passive_to_m_per_s(const LugreValues& p, double normal_N);
/// c_t above which the model is passive at every speed.
double lugre_passive_viscosity(const LugreValues& p);

}  // namespace tactelier
