#pragma once
// Rubber is stiffer the first time it is pressed to a depth (Mullins effect; its first cycle is a
// virgin curve, docs/theory/contact-and-stiffness.md 6). A sensor in use lives in the later cycles,
// so those are what k_punch means. Places pressed once are brought to them by the ratio found where
// both are known:
//   ratio = mean over places of k(later presses)/k(first press).

#include <optional>
#include <vector>

#include "fitting/stiffness/stiffness_quantity.hpp"

namespace tactelier {

constexpr double kAlikeDepth = 1.02;  // of what was seen before: as deep as that
constexpr std::size_t kMinFirstCyclePlaces = 3;
constexpr double kFirstCycleStudent = 3;    // smaller |ratio - 1|/u: no difference seen
constexpr double kUnknownFirstCycle = 0.1;  // bound of |ratio - 1| where it can't be measured
constexpr double kShallowPress = 1.0 / 3;   // of the median depth

/// Whether rubber that was pressed to `seen_m` was pressed enough for a press to `deepest_m`: to
/// 0.6 of it. Such a press counts down to what was seen.
bool seen_before(double seen_m, double deepest_m);

/// Ratio with its standard error from place to place; empty when fewer than 3 places have a first
/// press and a later one.
std::optional<Estimate> first_cycle_ratio(const std::vector<StiffnessPress>& presses);

/// Places that were pressed once only, or never as deep as before.
std::size_t pressed_once(const std::vector<StiffnessPress>& presses);

/// Whether the ratio differs from 1 by more than its error.
bool softens(const Estimate& ratio);

/// Leaves out first presses where later ones are; scales k_punch, k_affine, intercept and curve of
/// the others by the ratio and adds its error to what these presses share.
void take_first_cycle_out(const Estimate& ratio, std::vector<StiffnessPress>& presses);

/// Leaves out presses that ended early (less than a third of the median depth): their lines are
/// short, a tactel stuck at full scale ends its press at once.
void leave_out_shallow(std::vector<StiffnessPress>& presses);

}  // namespace tactelier
