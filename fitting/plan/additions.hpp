#pragma once
// What a rig could be given for little money, or none, and by how much each would narrow what a
// plan tells: the same plan with and without it.

#include <string>
#include <vector>

#include "fitting/plan/information.hpp"

namespace tactelier {

struct Addition {
  std::string what;                   // "a dial gauge of 1 um beside the stage"
  double helps = 1;                   // median over the parameters: half-width with it over without
  std::vector<std::string> gained;    // paths that only it determines
  std::string most;                   // path of the parameter that gains most, "" for none
  double most_from = 0, most_to = 0;  // its relative half-width without and with

  /// Gained numbers first, then narrower ones.
  double worth() const;
};

/// All that make sense for this rig, the one that helps most first; those that change nothing are
/// left out. `planned`: without any.
std::vector<Addition> additions(const PlanBasis& basis,
                                const std::vector<PlannedParameter>& planned, const Job& job);

/// "a dial gauge of 1 um beside the stage: damping.c_n, which is not told now; k_punch 2.1 %
/// instead of 2.9 %"
std::string addition_words(const Addition& addition);

}  // namespace tactelier
