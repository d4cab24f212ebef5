#pragma once
// The inside of SessionWriter, shared by session_writer.cpp (writing) and session_reopen.cpp
// (going on with a file that is there).

#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "libcalib/session/chunk_writer.hpp"
#include "libcalib/session/content_hash.hpp"
#include "libcalib/session/database.hpp"
#include "libcalib/session/schema.hpp"
#include "libcalib/session/session_writer.hpp"

namespace tactelier {

enum class WritePurpose { kRecording, kImport };

constexpr std::string_view kRecordingPragmas = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL";

struct SessionWriter::Impl {
  struct Stream {
    StreamInfo info;
    double time_to_s = 1;
    std::int64_t chunks = 0;
    std::int64_t rows = 0;
    double last_s = -HUGE_VAL;
    bool tally_changed = true;
  };

  Impl(Database opened, std::string metadata_document, WritePurpose why)
      : database(std::move(opened)), document(std::move(metadata_document)), purpose(why) {}

  Result<void> begin();
  Result<void> set_meta(std::string_view key, std::string_view value);
  Result<void> write_tally(std::int64_t id, std::int64_t rows, std::int64_t chunks);
  Result<ChunkHeader> next_chunk(Stream& stream, const StreamChunk& chunk) const;
  Result<void> write_column(const ChunkHeader& chunk, std::int64_t position,
                            const ColumnChunk& column, StreamKind stream);
  Result<void> prepare(std::int64_t first_blob);
  Result<void> write_columns_info(const StreamInfo& stream);
  Result<void> close_to_one_file();

  Database database;
  std::string document;
  WritePurpose purpose;
  bool in_transaction = false;
  bool finished = false;
  std::array<std::optional<Stream>, kStreamKinds.size()> streams;
  std::int64_t events = 0;
  Encoder encoder;
  ContentHash hash;
  std::optional<ChunkWriter> chunk_writer;
  std::optional<Statement> insert_event, insert_meta, set_tally;
};

}  // namespace tactelier
