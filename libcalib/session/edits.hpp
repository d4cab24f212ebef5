#pragma once
// The table of edits of an open database, for who adds to it.

#include <vector>

#include "libcalib/session/database.hpp"
#include "libcalib/session/events.hpp"

namespace tactelier {

/// Inside the caller's transaction; time and author are filled in. Fails with kInvalidInput on an
/// edit that says nothing, with kDamaged when the table's count doesn't match its checksum.
Result<void> insert_edits(const Database& database, std::vector<Edit> edits);

}  // namespace tactelier
