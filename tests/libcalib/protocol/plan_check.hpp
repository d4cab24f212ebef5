#pragma once
// What every plan must keep, whatever the protocol.

#include <string>

#include "libcalib/protocol/plan.hpp"

namespace tactelier {

/// The first rule broken, in words; "" when all hold: no speed or acceleration beyond the stage's,
/// no jump in position or time, XY only at the safe height or while sliding, contact only in
/// contact phases, events in pairs and valid, every press with 1 s of free air before and ending in
/// free air.
std::string broken_rule(const Plan& plan, const PlanSetup& setup);

}  // namespace tactelier
