#pragma once
// Parameters and reason codes of the stage "contact".

#include "fitting/recording/stage_facts.hpp"

namespace tactelier {

const StageFacts& contact_facts();

}  // namespace tactelier
