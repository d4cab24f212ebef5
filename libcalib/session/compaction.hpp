#pragma once
// Puts the chunks of a closed recording together into fewer, longer ones (format version 2,
// docs/session-format.md). While recording a chunk is 100 ms, so that little is lost when the power
// goes: of an array at 270 Hz 27 readings, for which SQLite's and the compressor's book-keeping
// cost more than the readings themselves.

#include <cstdint>
#include <filesystem>

#include "libcalib/job.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

struct Compaction {
  bool changed = false;  // false: there was nothing worth doing
  std::uint64_t bytes_before = 0;
  std::uint64_t bytes_after = 0;
  std::uint64_t chunks_before = 0;
  std::uint64_t chunks_after = 0;
};

/// Values, events, edits and content hash stay what they are. The new file is built beside `file`
/// as NAME.partial and takes its name once it is whole and on the disk: whatever happens before
/// (kill -9, a full disk, cancelling), `file` is as it was. Edits wait meanwhile.
/// Fails with kInvalidInput on a recording that isn't closed, with kDamaged on a damaged one (its
/// chunks are left alone: what is lost stays as little as it is), with kIo where there is no room.
Result<Compaction> compact(const std::filesystem::path& file, const Job& job = {});

/// NOT-COMPACTED: that the recording is whole without it, and what to do.
Warning not_compacted(const Error& why, const std::filesystem::path& file);

/// The same for a file that is whole without it: where there is no room for a second one it stays as
/// it is, with that warning.
Result<Warnings> compact_if_room(const std::filesystem::path& file, const Job& job = {});

}  // namespace tactelier
