#pragma once
// How much of its force a pad loses per decade of time, from the loop of one press
// (docs/theory/damping-and-relaxation.md 8). Rubber relaxes in proportion to the logarithm of time
// (A. N. Gent, J. Appl. Polym. Sci. 6, 433, 1962), which is a branch of the same strength in each
// half decade:
//   F = k [depth + X/2 sum h_j/k + d depth v + T v] + own ,   tau_j = 3 ms .. 30 s
// Damping opens the loop as soon as the stage turns, relaxation bit by bit.

#include <optional>
#include <span>

#include "fitting/joint/rest_stiffness.hpp"

namespace tactelier {

/// X, of the stiffness that the press shows; below 0 where the loop is not one of a relaxing pad.
/// Empty with fewer than 40 readings or without an unloading branch.
std::optional<Estimate> loss_per_decade(const PressCourse& press);

/// The same of an indenter whose contact grows: F_e/k of each row in place of depth, and by how
/// much it grows with depth,
///   F = k [e + X/2 sum h_j/k + d e v + T e' v + z e'] ,   z the contact point's error.
std::optional<Estimate> loss_per_decade(const PressCourse& press, std::span<const double> elastic,
                                        std::span<const double> slope);

}  // namespace tactelier
