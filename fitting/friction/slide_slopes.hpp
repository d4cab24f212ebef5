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
/// One more, so that columns go in pairs.
using SlideColumns = Eigen::Array<double, kSlideColumns + 1, 1>;

/// Step of the differences by the delay and by the filter's lag, s, for which no chain rule holds:
/// friction between ticks is a straight line.
constexpr double kSlideDelayStep_s = 2e-5, kSlideLagStep_s = 5e-5;

/// Friction and its derivatives as means over `blocks`, all of this contact; an entry of `means_N`
/// and of `slopes` each.
void contact_slopes(const SlideContact& contact, const TipMotion& motion, const TipSlopes& tip,
                    double slid_m, double zero_N, double reference_N, const SlideSetting& setting,
                    std::span<const double> p, std::span<const SlideBlock> blocks,
                    std::span<double> means_N, std::span<SlideColumns> slopes);

}  // namespace tactelier
