#pragma once
// Parameters and reason codes of the stage "wrench".

#include "fitting/recording/stage_facts.hpp"

namespace tactelier {

const StageFacts& wrench_facts();

}  // namespace tactelier
