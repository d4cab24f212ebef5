#pragma once
// Parameters and reason codes of the stage "damping".

#include "fitting/recording/stage_facts.hpp"

namespace tactelier {

const StageFacts& damping_facts();

}  // namespace tactelier
