#pragma once
// LuGre friction in the plane of contact: the law of lugre.hpp with z, v and F as vectors along two
// directions of the surface, alike in all directions.
//   z' = v - a z,  a = sigma0 |v| / g(|v|),   F = sigma0 z + sigma1 z' + c_t v
// Steps are exact for constant v and N, whatever their length. Source: docs/theory/friction.md
// 1, 3.

#include "libcalib/models/lugre.hpp"

namespace tactelier {

using PlanarVector = std::array<double, 2>;

class PlanarLugreBristle {
 public:
  /// What a step would do: its force and how stiffly that answers to a change of speed.
  struct Answer {
    PlanarVector force_N{};
    /// dF/dv of the sticking bristle, N s/m: what an implicit step of a body needs.
    double resistance_N_s_per_m = 0;
    PlanarVector deflection_m{};
  };
  /// At the end of a step; nothing changes. Without load there are no bristles.
  Answer answer(const LugreValues& p, double dt_s, const PlanarVector& v, double normal_N) const;

  /// Force at the end of a step.
  PlanarVector step_N(const LugreValues& p, double dt_s, const PlanarVector& v, double normal_N) {
    const auto after = answer(p, dt_s, v, normal_N);
    z_m_ = after.deflection_m;
    return after.force_N;
  }
  void let_go() { z_m_ = {}; }

  const PlanarVector& deflection_m() const { return z_m_; }

 private:
  PlanarVector z_m_{};
};

inline PlanarLugreBristle::Answer PlanarLugreBristle::answer(const LugreValues& p, double dt_s,
                                                             const PlanarVector& v,
                                                             double normal_N) const {
  constexpr double kLeastLoad_N = 1e-12;
  Answer after;
  if (!(normal_N > kLeastLoad_N)) return after;
  const double speed_m_per_s = std::hypot(v[0], v[1]);
  const double a = p[kLugreSigma0] * speed_m_per_s / lugre_level_N(p, speed_m_per_s, normal_N);
  const double x = a * dt_s;
  const double keep = std::exp(-x);
  const double gain_s = dt_s * lugre_detail::phi(x, keep);
  for (std::size_t i = 0; i < 2; ++i) {
    const double z_m = z_m_[i] * keep + v[i] * gain_s;
    after.deflection_m[i] = z_m;
    after.force_N[i] =
        p[kLugreSigma0] * z_m + p[kLugreSigma1] * (v[i] - a * z_m) + p[kLugreViscous] * v[i];
  }
  after.resistance_N_s_per_m = p[kLugreSigma0] * gain_s + p[kLugreSigma1] * keep + p[kLugreViscous];
  return after;
}

}  // namespace tactelier
