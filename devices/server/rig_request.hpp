#pragma once
// What clients may say to a rig process: every request is checked here before anybody looks into
// it. data/schemas/rig-request.schema.json is the table of requests, name -> members.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "libcalib/result.hpp"

namespace tactelier::rig {

/// The name of a request that is as it must be. Fails with kUsage, naming the member and what was
/// expected there, or the nearest name. STOP is taken whatever stands beside it.
Result<std::string> check_request(const nlohmann::json& request);

}  // namespace tactelier::rig
