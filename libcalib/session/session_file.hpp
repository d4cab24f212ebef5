#pragma once
// What happens to a .tact as a file, outside SQLite.

#include <cstdint>
#include <filesystem>

#include "libcalib/result.hpp"

namespace tactelier {

/// Makes an empty file under a name that is free. Refuses (kIo) when there is one already, or a
/// -wal or -journal that an earlier one left: SQLite would take it for the new file's.
Result<void> reserve_new_file(const std::filesystem::path& file);
/// Waits until the file and its name are on the disk.
Result<void> sync_file(const std::filesystem::path& file);

/// Which file a name stands for: compaction puts another in its place.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  bool operator==(const FileIdentity&) const = default;
};
Result<FileIdentity> identity(const std::filesystem::path& file);

/// FILE-wal, FILE-journal, FILE-shm.
std::filesystem::path beside(const std::filesystem::path& file, std::string_view suffix);

}  // namespace tactelier
