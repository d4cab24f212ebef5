#pragma once
// Writes rows of the tables `chunk` and `blob`, for recordings that grow and for ones that are
// compacted.

#include <cstdint>

#include "libcalib/session/chunk_record.hpp"
#include "libcalib/session/database.hpp"

namespace tactelier {

class ChunkWriter {
 public:
  /// `first_blob`: the first row id that is free in `blob`.
  static Result<ChunkWriter> prepare(const Database& database, std::int64_t first_blob);

  /// Where the next chunk's columns begin.
  std::int64_t next_blob() const { return next_blob_; }
  /// Columns of one chunk in order, then the chunk itself.
  Result<void> write_column(const ChunkHeader& chunk, std::int64_t position,
                            const ColumnRecord& record);
  Result<void> write_chunk(const ChunkHeader& header);

 private:
  ChunkWriter(Statement insert_chunk, Statement insert_blob, std::int64_t first_blob);

  Statement insert_chunk_;
  Statement insert_blob_;
  std::int64_t next_blob_;
};

}  // namespace tactelier
