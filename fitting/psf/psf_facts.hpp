#pragma once
// Parameters and reason codes of the stage "psf".

#include "fitting/recording/stage_facts.hpp"

namespace tactelier {

const StageFacts& psf_facts();

}  // namespace tactelier
