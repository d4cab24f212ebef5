#pragma once
// What a tick's step of the bristles takes from speed and load alone (slide_law.hpp), for all ticks
// of a slide at once, in vector instructions; z then follows tick by tick with few products. As
// lugre_block.hpp, with the load exponent and running-in that whole slides show.

#include <Eigen/Core>
#include <span>

#include "fitting/friction/slide_motion.hpp"
#include "libcalib/models/lugre.hpp"

namespace tactelier {

/// What is the same for all slides of a contact.
struct SlideStepLaw {
  /// `zero_N` of the load, and the load at which mu is stated.
  SlideStepLaw(const SlideContact& contact, double zero_N, double reference_N,
               const SlideSetting& setting, std::span<const double> p, double tick_s);

  double scale = 1;  // of sigma0, sigma1 and c_t: by the load
  LugreValues law;
  double zero_N, reference_N, tick_s, exponent, running_in, per_length, delay_s;
};

struct SlideSteps {
  Eigen::ArrayXd v;                                 // m/s
  Eigen::ArrayXd load_N, load_rate_N_per_s;         // at the bristles
  Eigen::ArrayXd slid_m;                            // before the tick
  Eigen::ArrayXd log_load, worn, fresh, stuck, mu;  // n-th power's base; exp(-S/L), 1 + r worn
  Eigen::ArrayXd rate_per_s, keep, phi;             // a = sigma0 |v| / g; exp(-a dt); its mean

  /// Of slide `slide`; `slid_m` goes on to its end.
  void fill(const SlideStepLaw& by, const SlideContact& contact, const TipMotion& motion,
            std::size_t slide, double& slid_m);
};

}  // namespace tactelier
