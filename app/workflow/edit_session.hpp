#pragma once
// tactelier edit: later decisions, added to the edits table; the recording stays as it was.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "libcalib/result.hpp"
#include "libcalib/session/events.hpp"

namespace tactelier {

/// Adds the edits after checking that their presses exist and that a contact point lies within its
/// press; all or none. Returns all edits that the file now holds.
Result<std::vector<Edit>> edit_session(const std::filesystem::path& file, std::vector<Edit> edits);

}  // namespace tactelier
