#pragma once
// What a tick's step of the bristles takes from speed and load alone (slide_law.hpp), for all ticks
// of a slide at once, in vector instructions; z then follows tick by tick with few products. As
// lugre_block.hpp, with the load exponent and running-in that whole slides show.

#include <Eigen/Core>
#include <span>

#include "fitting/friction/slide_motion.hpp"
#include "fitting/friction/slide_series.hpp"
#include "libcalib/models/lugre.hpp"

namespace tactelier {

/// What is the same for all slides of a contact.
struct SlideStepLaw {
  /// `zero_N` of the load, and the load at which mu is stated.
  SlideStepLaw(const SlideContact& contact, double zero_N, double reference_N,
               const SlideSetting& setting, std::span<const double> p, double tick_s);

  double scale = 1;  // of sigma0, sigma1 and c_t: by the load
  LugreValues law;
  double zero_N, reference_N, tick_s, exponent, running_in, per_length, delay_s, side_m_per_N;
};

struct SlideSteps {
  Eigen::ArrayXd v;                                 // m/s
  Eigen::ArrayXd load_N, load_rate_N_per_s;         // at the bristles
  Eigen::ArrayXd slid_m;                            // before the tick
  Eigen::ArrayXd log_load, worn, fresh, stuck, mu;  // n-th power's base; exp(-S/L), 1 + r worn
  Eigen::ArrayXd per_m;                             // sigma0 / g
  Eigen::ArrayXd keep, phi;  // exp(-x) and its mean, x = per_m |v| dt; empty where the rig gives

  /// Of slide `slide`; `slid_m` goes on to its end.
  void fill(const SlideStepLaw& by, const SlideContact& contact, const TipMotion& motion,
            std::size_t slide, double& slid_m);
};

/// From one tick's end to that of tick `i`, whether the rig gives or not.
inline SeriesTick bristle_tick(const SlideStepLaw& by, const SlideSteps& steps, Eigen::Index i,
                               const SeriesTick& from) {
  const double v = steps.v[i], per_m = steps.per_m[i];
  if (by.side_m_per_N > 0) return series_tick(from, v, per_m, by.tick_s, by.side_m_per_N, by.law);
  SeriesTick now{v, steps.keep[i], steps.phi[i]};
  now.z_m = from.z_m * now.keep + v * by.tick_s * now.phi;
  fill_force(from, per_m, v == 0 ? 0 : std::copysign(1, v), by.tick_s, by.law, now);
  return now;
}

}  // namespace tactelier
