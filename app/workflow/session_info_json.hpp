#pragma once
// What a session holds, as `info --json` and Python have it.

#include <nlohmann/json.hpp>

#include "app/workflow/session_info.hpp"

namespace tactelier {

nlohmann::json info_json(const SessionReport& report);

}  // namespace tactelier
