#pragma once
// What the stage "rotary" says of itself.

#include "fitting/recording/stage_facts.hpp"

namespace tactelier {

const StageFacts& rotary_facts();

}  // namespace tactelier
