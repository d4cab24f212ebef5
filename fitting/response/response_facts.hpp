#pragma once
// Parameters and reason codes of the stage "response".

#include "fitting/recording/stage_facts.hpp"

namespace tactelier {

const StageFacts& response_facts();

}  // namespace tactelier
