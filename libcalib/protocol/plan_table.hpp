#pragma once
// A plan for people: what --dry-run prints and the protocol page shows.

#include <string>
#include <vector>

#include "libcalib/protocol/plan.hpp"

namespace tactelier {

struct PlanTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // one per step, the last one is the sum
};

PlanTable plan_table(const Plan& plan);

/// The table as aligned text, warnings below it.
std::string plan_text(const Plan& plan);

/// "1 h 12 min", "4 min 05 s", "12.5 s".
std::string duration_text(double duration_s);

}  // namespace tactelier
