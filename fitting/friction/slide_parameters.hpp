#pragma once
// What whole slides are fitted with (slide_law.hpp says how they act).

#include <array>
#include <cstddef>

namespace tactelier {

enum SlideIndex : std::size_t {
  kSlideDynamic,      // mu_d
  kSlideDrop,         // mu_s - mu_d
  kSlideLogStribeck,  // log v_s
  kSlideLogSigma0,    // of bristles
  kSlideSigma1,
  kSlideViscous,    // c_t
  kSlideExponent,   // n
  kSlideRunningIn,  // r
  kSlideLogLength,  // log L
  kSlideSide,       // what the rig gives along the surface, m/N
  kSlideBacklash,   // of the axis, m
  kSlideRippleCos,  // microstep error a cos + b sin, m
  kSlideRippleSin,
  kSlideSecondCos,  // the same over half of its period
  kSlideSecondSin,
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
  double u_late_s = 0;         // standard uncertainty of when each line began; 0: as told
};

}  // namespace tactelier
