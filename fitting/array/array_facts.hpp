#pragma once
// Parameters and reason codes of the stage "array".

#include "fitting/recording/stage_facts.hpp"

namespace tactelier {

const StageFacts& array_facts();

}  // namespace tactelier
