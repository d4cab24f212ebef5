#pragma once
// What a plan presses behind one of its steps, for conditioning: where, and how far.

#include <optional>
#include <string>
#include <vector>

#include "libcalib/protocol/plan.hpp"
#include "libcalib/protocol/sites.hpp"

namespace tactelier {

/// With the tip that is on at the step; what another tip presses is left out.
struct LaterPresses {
  std::vector<Place> places;      // each once, in the order in which they are first pressed
  double depth_m = 0;             // of the deepest, as expected
  std::optional<double> force_N;  // what ends it, where that is no depth
  std::string step;               // whose it is: "4"
  std::optional<std::string> earlier_step;  // one that presses the pad before
};

/// `row` of plan.steps, which itself presses nothing.
LaterPresses later_presses(const Plan& plan, std::size_t row, const PlanSetup& setup,
                           const SensorDescription& sensor);

}  // namespace tactelier
