#pragma once
// tactelier unpack SESSION -o FILE: a recording as one file of arrays, for who works in Python or
// MATLAB, or as messages for Foxglove and its like. Values are in SI, the unit stands beside them.
// docs/open-data.md gives the layout.

#include <filesystem>
#include <string>
#include <vector>

#include "libcalib/job.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier {

struct UnpackedStream {
  std::string name;
  std::uint64_t rows = 0;
  std::size_t columns = 0;  // time apart
};

struct UnpackedTable {
  std::vector<UnpackedStream> streams;
  Warnings warnings;  // of damage that was left out
};

/// By the ending of `target`: .h5 (HDF5), .mat (MATLAB, version 5) or .mcap; kUsage for any other.
/// Nothing half-written carries the name.
Result<UnpackedTable> unpack_table(const std::filesystem::path& session,
                                   const std::filesystem::path& target, const Job& job);

/// Columns of a stream without its time, and their SI units.
struct StreamColumns {
  std::vector<std::string> names, units;
};
StreamColumns stream_columns(const StreamInfo& stream);

/// One format each, for unpack_table().
Result<void> write_hdf5(const Session& session, const std::filesystem::path& file, const Job& job);
Result<void> write_mat(const Session& session, const std::filesystem::path& file, const Job& job);
Result<void> write_mcap(const Session& session, const std::filesystem::path& file, const Job& job);

}  // namespace tactelier
