#pragma once
// The step of a converter, found from its readings: what any two of them differ by a multiple of.
// In the readings' own unit, so that volts and counts are fitted alike. Readings that were written
// with few digits (1.221 mV as 0.0012 V) are multiples of the last digit: there the smallest
// difference between many readings is the step.

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

class ReadingStep {
 public:
  /// Readings of one tactel, in order.
  void add(std::span<const double> readings);
  /// 0: all readings are equal, or they have no step (numbers of a calculation).
  double counts() const;
  /// Between different readings; 0: all are equal.
  double smallest_difference() const { return smallest_; }

 private:
  void note_differences(std::span<const double> readings);
  double rounded_step() const;

  double step_ = 0, last_ = 0, largest_ = 0, smallest_ = 0;
  double lowest_ = std::numeric_limits<double>::infinity(), highest_ = -lowest_;
  std::vector<double> neighbours_;  // differences of readings most of which came twice and more
  bool any_ = false;
  bool continuous_ = false;
};

/// Of all tactels, over a few presses and stretches of free air. Fails for damage and cancellation.
Result<double> find_reading_step(const FitContext& context);

}  // namespace tactelier
