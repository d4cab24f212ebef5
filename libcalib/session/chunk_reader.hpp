#pragma once
// Chunks of a .tact file by number, each column on its own. Whatever can't be trusted is noted as
// damage and left out; only trouble with the call itself is an error.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "libcalib/session/chunk_record.hpp"
#include "libcalib/session/database.hpp"
#include "libcalib/session/recorded_rows.hpp"
#include "libcalib/session/session_damage.hpp"
#include "libcalib/session/stream.hpp"

namespace tactelier {

struct NumberedChunk {
  ChunkHeader header;
  std::int64_t number = 0;
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
  /// Columns at `positions`, or nothing when one of them is damaged (noted).
  std::optional<std::vector<ColumnChunk>> columns(const StreamInfo& stream,
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
  void note(const StreamInfo& stream, const NumberedChunk& chunk, std::size_t position,
            const std::string& what);

  Statement headers_;
  Statement blobs_;
  Statement chunk_blobs_;
  Statement blob_headers_;
  RecordedRowsReader recorded_;
  Decoder decoder_;
  DamageLog* damage_;
};

}  // namespace tactelier
