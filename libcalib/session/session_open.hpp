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

/// For changing it: with the write lock, inside a transaction. Who waits for the lock while the
/// file is compacted gets the new one.
Result<OpenedSession> lock_session_file(const std::filesystem::path& file);

}  // namespace tactelier
