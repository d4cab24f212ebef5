#pragma once
// Derivatives of what slides look like to the force sensor (slide_law.hpp), all in one pass: beside
// each tick of friction its derivatives follow by the chain rule (docs/theory/friction.md 13), then
// through the same filter to the same rows. Only where the tip is (backlash, microstep error,
// ringing) is known by differences alone; those of the speed come in from outside.

#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

#include "fitting/friction/slide_law.hpp"

namespace tactelier {

constexpr std::size_t kSlideDrives = kSlideDelay - kSlideBacklash;  // parameters of the tip's place
/// Columns: SlideIndex below kSlideLean, then the error of the load's zero.
constexpr std::size_t kSlideZeroColumn = kSlideLean;
constexpr Eigen::Index kSlideColumns = static_cast<Eigen::Index>(kSlideZeroColumn) + 1;
/// One more, so that columns go in pairs.
using SlideColumns = Eigen::Array<double, kSlideColumns + 1, 1>;

/// How the tip's place changes with one of its parameters, for one contact.
struct DriveSlope {
  std::vector<double> speed;  // by tick, d(m/s)/dp; empty: it does not
  double slid = 0;            // of what was slid before the contact, dm/dp
};

/// Step of the differences by the delay and by the filter's lag, s, for which no chain rule holds:
/// friction between ticks is a straight line.
constexpr double kSlideDelayStep_s = 2e-5, kSlideLagStep_s = 5e-5;

/// Friction's derivatives as means over `blocks`, all of this contact; a row of `means` each.
void contact_slopes(const SlideContact& contact, const TipMotion& motion, double slid_m,
                    std::span<const DriveSlope, kSlideDrives> drives, double zero_N,
                    double reference_N, const SlideSetting& setting, std::span<const double> p,
                    std::span<const SlideBlock> blocks, std::span<SlideColumns> means);

}  // namespace tactelier
