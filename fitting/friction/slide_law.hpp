#pragma once
// What slides look like to the force sensor, from the moves of the stage (docs/theory/friction.md
// 13):
//   v     = d/dt virtual encoder                             recording/virtual_encoder.hpp
//   N     = load(t + delay) + its zero's error
//   g(v)  = N (N/N0)^n [1 + r exp(-S/L)] [mu_d + drop exp(-(v/v_s)^2)],   S = int |v| dt
//   F     = LuGre(v, g), bristles kept through reversals and rests,  through the force sensor's
//   filter of first order, delay later in all,  + lean N + side force
// compared as means over about 10 ms. All is computed in ticks of the host's time, across which the
// force's rows drift with that sensor's crystal. Where the tip jumps they are ticks of the stage's
// own, and which steps of the motor fall into one says how fast it jumps.

#include <span>
#include <vector>

#include "fitting/friction/slide_motion.hpp"
#include "libcalib/models/lugre.hpp"

namespace tactelier {

constexpr double kSlideLeastLoad_N = 1e-3;  // bristles need one

/// Rows whose mean is compared.
struct SlideBlock {
  std::size_t contact = 0;
  std::size_t slide = 0;  // counted over all contacts
  std::size_t begin = 0;  // rows of the contact
  std::size_t end = 0;
  double force_N = 0;
  double normal_N = 0;
  double sigma_N = 0;
};
std::vector<SlideBlock> slide_blocks(const SlideTracks& tracks);

/// Friction at every row of a contact as the force sensor sees it, without lean and side force.
void contact_friction_N(const SlideContact& contact, const TipMotion& motion, double slid_m,
                        double zero_N, double reference_N, const SlideSetting& setting,
                        std::span<const double> p, std::vector<double>& friction_N);

/// The same as means over `blocks`, all of this contact, each slide late by what fits best beside
/// lean and `side_N` (slide_means.hpp); how late, by slide of the contact.
void contact_means_N(const SlideContact& contact, const TipMotion& motion, double slid_m,
                     double zero_N, double side_N, double reference_N, const SlideSetting& setting,
                     std::span<const double> p, std::span<const SlideBlock> blocks,
                     std::span<double> means_N, std::span<double> late_s);

/// The six LuGre numbers at the reference load.
LugreValues lugre_values(std::span<const double> p);

}  // namespace tactelier
