#pragma once
// Where an interval comes from: the GUM budget of a parameter, taken apart again from what the
// model file holds of it.

#include <optional>
#include <vector>

#include "libcalib/parameter.hpp"
#include "reports/document/report_input.hpp"

namespace tactelier {

/// Shares of the combined variance u_c^2; they sum to 1.
struct BudgetShares {
  double repetition = 0;
  double force_sensor = 0;  // its certificate's, where the parameter goes with the force
  double other = 0;         // what else repetition can't show: latency, depth, zero
};

/// From std, ci95 = value ± t(dof) std and u_total = t(dof_c) u_c with the effective degrees of
/// freedom of Welch and Satterthwaite, dof_c = dof (u_c/std)^4 (GUM G.4): solved for dof and u_c.
/// `certificate`: relative standard uncertainty of the force, 0 when it is not in this parameter.
/// Empty without std, ci95 and u_total.
std::optional<BudgetShares> budget_shares(const Parameter& parameter, double certificate);

/// A row for each parameter that has a budget, tactels condensed to the mean of theirs.
Chapter budget_chapter(const ReportInput& input);

}  // namespace tactelier
