#pragma once
// From a path to an open database that is one of our sessions, with a message of its own for
// everything else that may be found there.

#include <filesystem>
#include <optional>
#include <string>

#include "libcalib/result.hpp"
#include "libcalib/session/database.hpp"

namespace tactelier {

struct OpenedSession {
  Database database;
  std::string truncated;     // how much is missing at the end; "" when nothing is
  std::uintmax_t bytes = 0;  // of the file and its -wal: bounds what it can hold
};

/// For reading, without changing anything: a file that a killed recorder left, with its -wal, or
/// one on read-only media.
Result<OpenedSession> open_session_file(const std::filesystem::path& file);

/// The checks alone: fails unless `file` begins like a session that this program reads.
Result<void> check_session_header(const std::filesystem::path& file);

}  // namespace tactelier
