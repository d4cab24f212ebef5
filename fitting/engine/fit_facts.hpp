#pragma once
// What the codes of a fit as a whole mean.

#include "libcalib/facts.hpp"

namespace tactelier {

const FactTable& fit_facts();

}  // namespace tactelier
