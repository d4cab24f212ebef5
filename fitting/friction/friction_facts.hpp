#pragma once
// Parameters and reason codes of the stage "friction".

#include "fitting/recording/stage_facts.hpp"

namespace tactelier {

const StageFacts& friction_facts();

}  // namespace tactelier
