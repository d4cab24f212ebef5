#pragma once
// From holds to the model's relaxation: how many branches, their fractions and times.

#include <span>
#include <string>
#include <vector>

#include "fitting/relaxation/hold_data.hpp"
#include "fitting/statistics/identified.hpp"

namespace tactelier {

struct RelaxationEstimate {
  std::size_t branches = 0;
  Estimate g_inf;
  std::vector<Estimate> g;
  std::vector<Estimate> log_tau;
  std::size_t holds = 0;  // used
  double chi2_per_dof = 0;
  double fall = 0;          // of the force over the holds, median, over its begin
  bool unresolved = false;  // the force fell, and the holds can't tell how
  std::string method;       // of the intervals
  std::string refusal;      // why nothing is reported: code and words
};

/// Holds at a depth only; the others are left out.
RelaxationEstimate estimate_relaxation(std::span<const HoldPress> holds);

/// The rests of a staircase, one behind the other: leaving one out says nothing of how holds
/// scatter, so intervals are those within, scaled by chi^2, and 3 % for what all rests share.
RelaxationEstimate estimate_from_rests(std::span<const HoldPress> rests);

}  // namespace tactelier
