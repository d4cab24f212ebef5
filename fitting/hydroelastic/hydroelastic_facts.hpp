#pragma once
// Parameters and reason codes of the stage "hydroelastic".

#include "fitting/recording/stage_facts.hpp"

namespace tactelier {

const StageFacts& hydroelastic_facts();

}  // namespace tactelier
