#pragma once
// Which rows of a press are its loading branch, and which its unloading branch.

#include <cstddef>
#include <span>

#include "fitting/recording/press_data.hpp"
#include "fitting/stiffness/stiffness_press.hpp"

namespace tactelier {

/// The loading branch of one press. A staircase or plate press with two holds or more gives one
/// reading per hold, the mean of its last fifth, when the pad has come to rest; otherwise every row
/// up to the peak counts. Readings at rest count up to the deepest one. `depth_m` has the length of
/// data.rows().
LoadingBranch loading_branch(const PressData& data, const Press& press,
                             std::span<const double> depth_m, double force_bias_N,
                             bool from_contact);

/// First row of the unloading branch: the end of the last hold, else the row of the peak.
std::size_t unloading_start(const PressData& data, const Press& press);

/// The rows until `depth_m` is first exceeded.
LoadingBranch down_to(double depth_m, const LoadingBranch& branch);

}  // namespace tactelier
