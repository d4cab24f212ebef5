#pragma once
// The step of a converter, found from its readings: what any two of them differ by a multiple of.
// In the readings' own unit, so that volts and counts are fitted alike.

#include <cstddef>
#include <span>

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

class ReadingStep {
 public:
  /// Readings of one tactel, in order.
  void add(std::span<const double> readings);
  /// 0: all readings are equal, or they have no step (numbers of a calculation).
  double counts() const { return continuous_ ? 0 : step_; }

 private:
  double step_ = 0, last_ = 0, largest_ = 0;
  bool any_ = false;
  bool continuous_ = false;
};

/// Of all tactels, over a few presses and stretches of free air. Fails for damage and cancellation.
Result<double> find_reading_step(const FitContext& context);

}  // namespace tactelier
