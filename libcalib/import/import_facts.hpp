#pragma once

#include "libcalib/facts.hpp"

namespace tactelier {

/// What the warnings of an import mean.
const FactTable& import_facts();

}  // namespace tactelier
