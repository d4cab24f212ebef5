#pragma once
// Chunks of one stream put together into longer ones (docs/session-format.md). Each is read back
// before it counts as written.

#include <cstdint>
#include <future>
#include <vector>

#include "libcalib/session/chunk_writer.hpp"
#include "libcalib/session/recorded_rows.hpp"

namespace tactelier {

/// Rows of a compacted chunk at most. Longer ones save little more, and cost more to read a single
/// press from.
constexpr std::int64_t kCompactedRows = 4096;

/// Chunks of one stream, collected until they fill one. A full one is written by another thread
/// while the next is read.
class StreamCompactor {
 public:
  StreamCompactor(StreamKind kind, ChunkWriter& chunks, RecordedRowsWriter& recorded)
      : kind_(kind), chunks_(chunks), recorded_(recorded) {}

  /// The next chunk, and the rows of the recorded ones that it is made of.
  Result<void> add(const ChunkHeader& header, std::vector<ColumnChunk> columns,
                   const RecordedRows& rows);
  Result<void> flush();
  /// Chunks so far.
  std::int64_t written() const { return written_; }

 private:
  struct Pending {
    ChunkHeader header;
    std::vector<ColumnChunk> columns;
    RecordedRows rows;
  };

  Result<void> wait() { return writing_.valid() ? writing_.get() : Result<void>{}; }
  Result<void> write_pending();
  Result<void> write(const Pending& chunk);

  StreamKind kind_;
  ChunkWriter& chunks_;
  RecordedRowsWriter& recorded_;
  Encoder encoder_;
  Decoder decoder_;
  Pending pending_;
  std::int64_t written_ = 0;
  std::future<Result<void>> writing_;  // last: waits for its end before the others go
};

}  // namespace tactelier
