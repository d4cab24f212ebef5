#pragma once
// From what somebody types to the sessions that are meant.

#include <filesystem>
#include <string>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier {

struct FoundSession {
  std::filesystem::path path;
  std::string group;  // what a table calls its sensor; "": the session's own serial number says
};

/// `source` is a folder (every .tact file and session folder below it), a pattern ("mon*/*.tact"),
/// a session, or a table (.csv) with a column "session" and, if wanted, one "sensor"; its paths are
/// relative to the table. In the order of their paths; fails where nothing is found.
Result<std::vector<FoundSession>> find_sessions(const std::string& source);

}  // namespace tactelier
