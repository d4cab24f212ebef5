#pragma once
// What a recording will tell, before it is made, as tables: what the dry run prints and the window
// shows.

#include <vector>

#include "fitting/plan/additions.hpp"
#include "fitting/plan/information.hpp"
#include "libcalib/protocol/plan.hpp"
#include "reports/section.hpp"

namespace tactelier {

/// "What it will tell" and "What it won't tell", the latter with what to record instead on that
/// rig; then what would help most. Tables without rows are left out.
std::vector<Section> planned_sections(const std::vector<PlannedParameter>& parameters,
                                      const std::vector<Addition>& additions,
                                      const SensorDescription& sensor, const PlanSetup& setup);

/// The protocol of the experiment design that records what a refused parameter lacks, "P5"; "" where
/// none would help.
std::string helping_protocol(const PlannedParameter& parameter);

/// "± 2.1 %": half-width over value.
std::string planned_words(const PlannedParameter& parameter);

}  // namespace tactelier
