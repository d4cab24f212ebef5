#pragma once
// Variances of many like things, each known from few readings: each is drawn towards what all of
// them have in common, as far as they don't differ by more than so few readings make them differ
// (Smyth 2004, Statistical Applications in Genetics and Molecular Biology 3, article 3: a scaled
// inverse chi-squared prior, found by the moments of the logarithms).

#include <span>
#include <vector>

namespace tactelier {

struct ModeratedVariances {
  std::vector<double> variances;  // (d0 s0^2 + d s^2) / (d0 + d)
  double common = 0;              // s0^2
  double common_dof = 0;          // d0; infinite where they don't differ
};

/// `variances` above 0 with the degrees of freedom of each, at least 1. Fewer than three, or none:
/// as they are.
ModeratedVariances moderated(std::span<const double> variances, std::span<const double> dof);

}  // namespace tactelier
