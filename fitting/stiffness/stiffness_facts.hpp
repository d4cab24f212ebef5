#pragma once
// Parameters and reason codes of the stage "stiffness".

#include "fitting/recording/stage_facts.hpp"

namespace tactelier {

const StageFacts& stiffness_facts();

}  // namespace tactelier
