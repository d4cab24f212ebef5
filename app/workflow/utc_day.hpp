#pragma once

#include <optional>
#include <string>

namespace tactelier {

/// "2026-11-20T10:00:00Z" in days since 1970; nothing when it is no such time.
std::optional<double> day_of(const std::string& utc);

}  // namespace tactelier
