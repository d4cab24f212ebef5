#pragma once
// How far the force swings about its course at the rate of the motor's steps, and at twice that,
// while a press loads (docs/theory/point-spread.md 5). Each step of a motor lets force ring; where
// steps come as fast as the axis rings, it swings by some percent of the force, which a filter
// smooths and which hysteresis of a reading keeps: the reading follows the crests.
//   A(F) = at_rest_N + growth F        amplitude, as the sensor's filter leaves it

#include <optional>

#include "fitting/recording/press_data.hpp"

namespace tactelier {

struct ForceRipple {
  double rate_hz = 0;     // of the steps
  double constant_N = 0;  // A as a straight line over the force
  double growth = 0;

  double at(double force_N) const { return constant_N + growth * force_N; }
};

/// `data` on the force's own times. Empty where the stage's speed is not known, steps of `step_m`
/// follow one another too slowly or too fast for the force's rate, or the press is too short.
std::optional<ForceRipple> force_ripple(const PressData& data, const PressContact& contact,
                                        double step_m);

}  // namespace tactelier
