#pragma once
// What a protocol file says of one step: keys become SI, and what its schema can't refuse is
// refused here, by step and key. One reader per step, in the .cpp; a step without one doesn't
// compile. Only protocol_file.cpp includes this.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "libcalib/protocol/protocol.hpp"

namespace tactelier {

using StepContent = decltype(Step::what);

/// `object` fits the schema and is no repeat; `where`: "mine.json: step 4 (scan)".
Result<StepContent> read_step(const nlohmann::json& object, const std::string& where);

/// Of a step that has none, one that ends nothing.
Until read_until(const nlohmann::json& object);

}  // namespace tactelier
