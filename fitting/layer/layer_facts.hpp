#pragma once
// Parameters and reason codes of the stage "layer".

#include "fitting/recording/stage_facts.hpp"

namespace tactelier {

const StageFacts& layer_facts();

}  // namespace tactelier
