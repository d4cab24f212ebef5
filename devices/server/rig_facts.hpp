#pragma once
// What the codes mean that a rig's work puts into its warnings: surface, registration, runs.

#include "libcalib/facts.hpp"

namespace tactelier::rig {

const FactTable& rig_facts();

}  // namespace tactelier::rig
