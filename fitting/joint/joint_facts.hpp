#pragma once
// Parameters and reason codes of the stage "joint".

#include "fitting/recording/stage_facts.hpp"

namespace tactelier {

const StageFacts& joint_facts();

}  // namespace tactelier
