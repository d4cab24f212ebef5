#pragma once
// What the codes of a model file and of a sensor description mean.

#include "libcalib/facts.hpp"

namespace tactelier {

const FactTable& model_facts();

}  // namespace tactelier
