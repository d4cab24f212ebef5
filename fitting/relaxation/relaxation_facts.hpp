#pragma once
// Parameters and reason codes of the stage "relaxation".

#include "fitting/recording/stage_facts.hpp"

namespace tactelier {

const StageFacts& relaxation_facts();

}  // namespace tactelier
