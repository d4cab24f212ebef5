#pragma once
// The SHA-256 that names a recording's content in a fit's provenance: over metadata, stream
// definitions, the checksums of all values, and events. Edits, compression and SQLite's pages don't
// change it (docs/session-format.md gives the bytes).

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/session/chunk_record.hpp"
#include "libcalib/session/events.hpp"
#include "libcalib/session/recorded_rows.hpp"
#include "libcalib/session/stream.hpp"

struct evp_md_ctx_st;

namespace tactelier {

/// SHA-256 over 64-bit little-endian numbers and texts with their length in front.
class Sha256 {
 public:
  Sha256();
  void add(std::int64_t number);
  void add(double number);
  void add(std::string_view text);
  /// 64 hexadecimal digits. Ends this hash.
  std::string hex();

 private:
  struct Deleter {
    void operator()(evp_md_ctx_st* context) const;
  };
  void add(const void* bytes, std::size_t size);
  void flush();

  std::unique_ptr<evp_md_ctx_st, Deleter> context_;
  std::vector<std::uint8_t> pending_;  // numbers are short, and each call costs
};

/// Fed in any order of streams and events, chunks of a stream in order.
class ContentHash {
 public:
  void add_stream(const StreamInfo& stream);
  void begin_chunk(StreamKind stream, std::int64_t rows);
  /// Once per column of the chunk, in order.
  void add_column(StreamKind stream, int exponent, std::uint32_t values_crc);
  /// Both for each chunk that was recorded: `rows` of them in turn make up `columns`.
  void add_chunks(StreamKind stream, std::span<const ColumnChunk> columns,
                  const RecordedRows& rows);
  void add_event(const Event& event);
  /// Ends it.
  std::string hex(std::string_view metadata_document);

 private:
  std::map<StreamKind, Sha256> streams_;
  Sha256 events_;
};

}  // namespace tactelier
