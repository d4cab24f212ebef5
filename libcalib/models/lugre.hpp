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

/// Step by step; whole traces with derivatives: fitting/friction/lugre_block.hpp.
class LugreBristle {
 public:
  explicit LugreBristle(double z_m = 0) : z_m_(z_m) {}

  /// Force at the end of a step.
  double step_N(const LugreValues& p, double dt_s, double velocity_m_per_s, double normal_N);

  double deflection_m() const { return z_m_; }

 private:
  double z_m_;
};

namespace lugre_detail {

/// (1 - exp(-x)) / x, with keep = exp(-x).
inline double phi(double x, double keep) {
  return x < 1e-4 ? 1 - x / 2 + x * x / 6 : (1 - keep) / x;
}

}  // namespace lugre_detail

inline double LugreBristle::step_N(const LugreValues& p, double dt_s, double v, double normal_N) {
  const double a = p[kLugreSigma0] * std::abs(v) / lugre_level_N(p, v, normal_N);
  const double x = a * dt_s;
  const double keep = std::exp(-x);
  z_m_ = z_m_ * keep + v * dt_s * lugre_detail::phi(x, keep);
  return p[kLugreSigma0] * z_m_ + p[kLugreSigma1] * (v - a * z_m_) + p[kLugreViscous] * v;
}

/// Speed up to which v -> F never gives energy back (docs/theory/friction.md 5); infinite where
/// c_t >= sigma1 (mu_s - mu_d) / mu_d.
double lugre_passive_to_m_per_s(const LugreValues& p, double normal_N);
/// c_t above which the model is passive at every speed.
double lugre_passive_viscosity(const LugreValues& p);

}  // namespace tactelier
