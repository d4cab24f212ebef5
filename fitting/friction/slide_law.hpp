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

#include <array>
#include <vector>

#include "fitting/friction/slide_tracks.hpp"
#include "fitting/recording/virtual_encoder.hpp"
#include "libcalib/models/lugre.hpp"

namespace tactelier {

enum SlideIndex : std::size_t {
  kSlideDynamic,      // mu_d
  kSlideDrop,         // mu_s - mu_d
  kSlideLogStribeck,  // log v_s
  kSlideLogSigma0,    // of bristles and rig in series
  kSlideSigma1,
  kSlideViscous,    // c_t
  kSlideExponent,   // n
  kSlideRunningIn,  // r
  kSlideLogLength,  // log L
  kSlideBacklash,   // of the axis, m
  kSlideRippleCos,  // microstep error a cos + b sin, m
  kSlideRippleSin,
  kSlideLogRing,      // log of the axis' natural frequency after a step, Hz
  kSlideRingDamping,  // its damping ratio
  kSlideDelay,        // of the force after the command, s; its filter's lag is part of it
  kSlideLag,          // time constant of that filter, s; its sign means nothing
  kSlideLean,         // side force over load: tilt and cross-talk
  kSlideShared,       // then side force and load zero of each contact
};

/// How the tip moves within a step of the motor. Which of these can't be read off a stage.
enum class StepShape {
  kJump,     // all at once, in a tick of the stage's
  kSmooth,   // not at all: the tip follows the command
  kRinging,  // as a motor on its magnetic spring does, from when the step is due
};

struct SlideSetting {
  StepShape shape = StepShape::kJump;
  double ripple_period_m = 0;  // of the microstep error
  bool proportional = false;   // sigma0, sigma1, c_t go with the load
  double phase = 0;            // of the ticks on the host's clock: 0 to 1
  bool fine = false;           // half the ticks, where steps ring
};

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

/// The tip along the axis of the slides, tick by tick, for one contact.
struct TipMotion {
  struct Slide {
    double first_s = 0;     // time of its first tick
    std::size_t begin = 0;  // ticks
    std::size_t end = 0;
  };
  double tick_s = 0;
  std::vector<double> speed_m_per_s;  // within the tick that ends there
  std::vector<Slide> slides;          // as in SlideContact
};

/// By contact.
std::vector<TipMotion> tip_motions(const SlideTracks& tracks, const SlideSetting& setting,
                                   std::span<const double> p);
/// Slid before each contact, what was left out of the recording not counted.
std::vector<double> slid_before_m(const SlideTracks& tracks, const std::vector<TipMotion>& motions);

/// Friction at every row of a contact as the force sensor sees it, without lean and side force.
void contact_friction_N(const SlideContact& contact, const TipMotion& motion, double slid_m,
                        double zero_N, double reference_N, const SlideSetting& setting,
                        std::span<const double> p, std::vector<double>& friction_N);

/// The six LuGre numbers at the reference load.
LugreValues lugre_values(std::span<const double> p);

}  // namespace tactelier
