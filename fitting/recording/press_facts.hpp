#pragma once
// What the codes of reading a press mean, whichever stage reads it.

#include "libcalib/facts.hpp"

namespace tactelier {

const FactTable& press_facts();

}  // namespace tactelier
