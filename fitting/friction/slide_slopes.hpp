#pragma once
// Derivatives of what slides look like to the force sensor (slide_law.hpp), all in one pass: beside
// each tick of friction its derivatives follow by the chain rule (docs/theory/friction.md 13), then
// through the same filter to the same rows. How the tip's speed goes with backlash, microstep error
// and ringing comes with its motion.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "fitting/friction/slide_law.hpp"

namespace tactelier {

/// Columns: SlideIndex below kSlideLean, then the error of the load's zero.
constexpr std::size_t kSlideZeroColumn = kSlideLean;
constexpr Eigen::Index kSlideColumns = static_cast<Eigen::Index>(kSlideZeroColumn) + 1;
/// An even number, so that columns go in pairs.
using SlideColumns = Eigen::Array<double, kSlideColumns + kSlideColumns % 2, 1>;

/// Step of the differences by the delay and by the filter's lag, s, for which no chain rule holds:
/// friction between ticks is a straight line.
constexpr double kSlideDelayStep_s = 2e-5, kSlideLagStep_s = 5e-5;

/// By block.
struct SlideSlopes {
  std::vector<double> means_N;
  std::vector<SlideColumns> columns;
  std::vector<double> late;    // d mean/d late, N/s
  std::vector<double> late_s;  // by slide of the contact
};

/// Friction and its derivatives as means over `blocks`, all of this contact, each slide late by
/// what fits best beside lean and `side_N`, and held there.
SlideSlopes contact_slopes(const SlideContact& contact, const TipMotion& motion,
                           const TipSlopes& tip, double slid_m, double zero_N, double side_N,
                           double reference_N, const SlideSetting& setting,
                           std::span<const double> p, std::span<const SlideBlock> blocks);

}  // namespace tactelier
