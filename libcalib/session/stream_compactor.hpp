#pragma once
// Chunks of one stream put together into longer ones (docs/session-format.md). Each is read back
// before it counts as written.

#include <cstdint>
#include <future>
#include <vector>

#include "libcalib/session/chunk_reader.hpp"
#include "libcalib/session/chunk_writer.hpp"
#include "libcalib/session/recorded_rows.hpp"

namespace tactelier {

/// Rows of a compacted chunk at most. Longer ones save little more, and cost more to read a single
/// press from.
constexpr std::int64_t kCompactedRows = 4096;

/// Chunks of one stream, collected until they fill one. While the next are read, the last are
/// decoded by a second thread and those before them encoded, read back and written by a third.
class StreamCompactor {
 public:
  StreamCompactor(const StreamInfo& stream, ChunkWriter& chunks, RecordedRowsWriter& recorded)
      : stream_(stream), chunks_(chunks), recorded_(recorded) {}

  /// The next chunk, and the rows of the recorded ones that it is made of. Errors may be those of
  /// chunks before it: kDamaged, with the place, where one can't be decoded.
  Result<void> add(const NumberedChunk& chunk, StoredColumns columns, const RecordedRows& rows);
  Result<void> flush();
  /// Chunks so far.
  std::int64_t written() const { return written_; }

 private:
  struct Part {
    NumberedChunk chunk;
    StoredColumns columns;
  };
  /// To be one chunk.
  struct Group {
    ChunkHeader header;
    std::vector<Part> parts;
    RecordedRows rows;
  };
  struct Decoded {
    ChunkHeader header;
    std::vector<ColumnChunk> columns;
    RecordedRows rows;
  };

  Result<void> hand_over();
  Result<Decoded> decode(const Group& group);
  Result<void> write(const Decoded& chunk);

  const StreamInfo& stream_;
  ChunkWriter& chunks_;
  RecordedRowsWriter& recorded_;
  Decoder decoder_;
  Encoder encoder_;
  Decoder read_back_;
  Group pending_;
  std::int64_t written_ = 0;
  // Last: their destructors wait for the threads before the others go.
  std::future<Result<void>> writing_;
  std::future<Result<Decoded>> decoding_;
};

}  // namespace tactelier
