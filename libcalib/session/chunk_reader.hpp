#pragma once
// Chunks of a .tact file by number, each column on its own. Whatever can't be trusted is noted as
// damage and left out; only trouble with the call itself is an error.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "libcalib/session/chunk_record.hpp"
#include "libcalib/session/database.hpp"
#include "libcalib/session/decoded_chunks.hpp"
#include "libcalib/session/recorded_rows.hpp"
#include "libcalib/session/session_damage.hpp"
#include "libcalib/session/stream.hpp"

namespace tactelier {

struct NumberedChunk {
  ChunkHeader header;
  std::int64_t number = 0;
};

/// All columns of a chunk as the file holds them: headers trusted, values not decoded yet.
struct StoredColumns {
  struct Column {
    ColumnHeader header;
    std::size_t data_end = 0;       // in `bytes`; begins where the column before it ends
    std::size_t exponents_end = 0;  // behind its data; the same where it has none
  };
  std::vector<Column> columns;
  std::vector<std::uint8_t> bytes;
};

class ChunkReader {
 public:
  static Result<ChunkReader> prepare(const Database& database, DamageLog& damage);

  /// Header of one chunk; empty, with `why`, when it is lost.
  std::optional<ChunkHeader> header(StreamKind stream, std::int64_t number,
                                    std::string* why = nullptr);
  /// The first chunk whose last row is at begin_s or later, or a lost one before it: by bisection.
  std::int64_t first_chunk(StreamKind stream, std::int64_t chunks, double begin_s);

  /// All columns, or nothing when one of them is damaged (noted). Faster than one by one.
  std::optional<std::vector<ColumnChunk>> columns(const StreamInfo& stream,
                                                  const NumberedChunk& chunk);
  /// The same without decoding them, for who does that in another thread.
  std::optional<StoredColumns> stored_columns(const StreamInfo& stream, const NumberedChunk& chunk);
  /// Columns at `positions`, or nothing when one of them is damaged (noted). Those of the chunk
  /// that was read last are not decoded again.
  std::optional<std::vector<DecodedColumn>> columns(const StreamInfo& stream,
                                                    const NumberedChunk& chunk,
                                                    std::span<const std::size_t> positions);
  /// Without reading or decoding values; nothing when it is damaged (noted).
  std::optional<ColumnHeader> column_header(const StreamInfo& stream, const NumberedChunk& chunk,
                                            std::size_t position);
  /// Of which chunks it is made; as of one where that is damaged (noted).
  RecordedRows recorded_rows(const StreamInfo& stream, const NumberedChunk& chunk);

 private:
  ChunkReader(Statement headers, Statement blobs, Statement chunk_blobs, Statement blob_headers,
              RecordedRowsReader recorded, DamageLog& damage);
  std::optional<ColumnChunk> column(const StreamInfo& stream, const NumberedChunk& chunk,
                                    std::size_t position);
  /// Calls take(row, position) -> bool for each column in order; false where a row is missing or
  /// one of them was refused.
  template <typename Take>
  bool each_column(const StreamInfo& stream, const NumberedChunk& chunk, Take take);
  /// Something is damaged: one by one, each with its own note.
  std::optional<std::vector<ColumnChunk>> one_by_one(const StreamInfo& stream,
                                                     const NumberedChunk& chunk);
  void note(const StreamInfo& stream, const NumberedChunk& chunk, std::size_t position,
            const std::string& what);

  Statement headers_;
  Statement blobs_;
  Statement chunk_blobs_;
  Statement blob_headers_;
  RecordedRowsReader recorded_;
  Decoder decoder_;
  DecodedChunks decoded_;
  DamageLog* damage_;
};

}  // namespace tactelier
