#pragma once

#include "libcalib/facts.hpp"

namespace tactelier {

/// What the codes of forward models mean.
const FactTable& forward_facts();

}  // namespace tactelier
