#pragma once
// Table `recorded` of format version 2: which chunks a compacted one was made of, as rows of each
// in order. The content hash is that of the recording as it was made, chunk by chunk; compaction
// must not change it.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "libcalib/result.hpp"
#include "libcalib/session/chunk_record.hpp"
#include "libcalib/session/database.hpp"

namespace tactelier {

/// Rows of each chunk that was put into this one; one entry where it is as it was recorded.
using RecordedRows = std::vector<std::int64_t>;

/// Whether the file has the table: compacted at least once.
Result<bool> has_recorded_rows(const Database& database);

class RecordedRowsReader {
 public:
  /// For any version: where there is no table every chunk is as it was recorded.
  static Result<RecordedRowsReader> prepare(const Database& database);

  /// Nothing when the row that says so is damaged or doesn't fit the chunk.
  std::optional<RecordedRows> of(const ChunkHeader& chunk);

 private:
  std::optional<Statement> select_;
};

class RecordedRowsWriter {
 public:
  static Result<RecordedRowsWriter> prepare(const Database& database);
  /// Nothing to write where `rows` has one entry.
  Result<void> write(const ChunkHeader& chunk, const RecordedRows& rows);
  /// How many rows the table has by now.
  std::int64_t written() const { return written_; }

 private:
  explicit RecordedRowsWriter(Statement insert) : insert_(std::move(insert)) {}

  Statement insert_;
  std::vector<std::uint8_t> bytes_;
  std::int64_t written_ = 0;
};

}  // namespace tactelier
