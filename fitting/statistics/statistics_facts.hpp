#pragma once
// What the verdicts of refusal.hpp and identified.hpp mean, whichever stage asked for them.

#include "libcalib/facts.hpp"

namespace tactelier {

const FactTable& statistics_facts();

}  // namespace tactelier
