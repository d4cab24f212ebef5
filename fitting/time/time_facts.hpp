#pragma once
// Parameters and reason codes of the stage "time".

#include "fitting/recording/stage_facts.hpp"

namespace tactelier {

const StageFacts& time_facts();

}  // namespace tactelier
