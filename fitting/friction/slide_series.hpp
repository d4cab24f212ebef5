#pragma once
// A tick of the bristles where the rig gives along the surface, in series with them
// (docs/theory/friction.md 9): driven at v the touched point slides at u,
//   u = v - C F',  z' = u - a |u| z,  F = sigma0 z + sigma1 z' + c_t u,   a = sigma0 / g(v)
// u is the same all through a tick, z exact for it, and F and the spring agree at its end.

#include <cmath>

#include "libcalib/models/lugre.hpp"

namespace tactelier {

struct SeriesTick {
  double u_m_per_s = 0;
  double keep = 1, phi = 1;  // exp(-x) and its mean over the tick, x = a |u| dt
  double z_m = 0, force_N = 0;
  double z_by_u = 0, force_by_u = 0;  // at the end, for what came before
};

/// Of a tick whose u, keep, phi and z are there: the rest. `sign` is that of u.
inline void fill_force(const SeriesTick& from, double per_m, double sign, double tick_s,
                       const LugreValues& law, SeriesTick& now) {
  const double u = now.u_m_per_s, a = per_m * std::abs(u);
  const double sigma1 = law[kLugreSigma1], left = law[kLugreSigma0] - sigma1 * a;
  now.force_N = left * now.z_m + (sigma1 + law[kLugreViscous]) * u;
  now.z_by_u = tick_s * now.keep * (1 - sign * per_m * from.z_m);
  now.force_by_u = left * now.z_by_u + sigma1 * (1 - sign * per_m * now.z_m) + law[kLugreViscous];
}

/// `per_m` is a, `from` what the tick before left behind.
inline SeriesTick series_tick(const SeriesTick& from, double v, double per_m, double tick_s,
                              double side_m_per_N, const LugreValues& law) {
  constexpr double kTolerance = 1e-6;  // of u; what is left of it is taken along a straight line
  constexpr int kMostSteps = 30;
  const double spring = tick_s / side_m_per_N;
  const double drive_N = from.force_N + spring * v;
  // What u > 0 has to overcome; friction at the end of the tick rises with u.
  const double sign = drive_N - law[kLugreSigma0] * from.z_m < 0 ? -1 : 1;
  SeriesTick now;
  double u = v * sign > 0 ? v : 0;
  for (int i = 0; i < kMostSteps; ++i) {
    const double x = per_m * std::abs(u) * tick_s;
    now.u_m_per_s = u;
    now.keep = std::exp(-x);
    now.phi = lugre_detail::phi(x, now.keep);
    now.z_m = from.z_m * now.keep + u * tick_s * now.phi;
    fill_force(from, per_m, sign, tick_s, law, now);
    const double next = u - (now.force_N + spring * u - drive_N) / (now.force_by_u + spring);
    const double within = next * sign > 0 ? next : u / 2;
    now.u_m_per_s = within;
    if (std::abs(within - u) <= kTolerance * std::abs(u)) {
      now.z_m += now.z_by_u * (within - u);
      now.force_N += now.force_by_u * (within - u);
      break;
    }
    u = within;
  }
  return now;
}

}  // namespace tactelier
