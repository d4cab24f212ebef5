#pragma once
// What the codes of commands mean, apart from those of fits and models.

#include "libcalib/facts.hpp"

namespace tactelier {

const FactTable& workflow_facts();

}  // namespace tactelier
