#pragma once
// What the codes of comparing two models mean.

#include "libcalib/facts.hpp"

namespace tactelier {

const FactTable& report_facts();

}  // namespace tactelier
