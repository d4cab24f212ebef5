#pragma once
// What the codes of a refresh mean.

#include "libcalib/facts.hpp"

namespace tactelier::refresh {

const FactTable& refresh_facts();

}  // namespace tactelier::refresh
