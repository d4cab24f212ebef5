#pragma once
// The end of every import.

#include "libcalib/job.hpp"
#include "libcalib/partial_file.hpp"
#include "libcalib/session/session_writer.hpp"

namespace tactelier {

/// Closes the session, compacts it where there is room (else a warning) and gives it its name.
Result<Warnings> keep_import(SessionWriter writer, PartialPath& partial, const Job& job);

}  // namespace tactelier
