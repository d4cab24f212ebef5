#include "libcalib/session/recorded_rows.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "libcalib/session/checksum.hpp"
#include "libcalib/session/schema.hpp"

namespace tactelier {
namespace {

static_assert(kMaxChunkRows < 65536, "a chunk's rows are stored in two bytes");

std::int64_t checksum_of(const ChunkHeader& chunk, std::span<const std::uint8_t> bytes) {
  return Checksum().add(chunk.id).add(bytes).value();
}

}  // namespace

Result<bool> has_recorded_rows(const Database& database) {
  const auto version = database.query("PRAGMA user_version");
  if (!version) return fail(version.error());
  return *version == std::to_string(kCompactedVersion);
}

Result<RecordedRowsReader> RecordedRowsReader::prepare(const Database& database) {
  RecordedRowsReader reader;
  const auto compacted = has_recorded_rows(database);
  if (!compacted) return fail(compacted.error());
  if (!*compacted) return reader;
  auto select = database.prepare("SELECT counts, checksum FROM recorded WHERE chunk = ?");
  if (!select) return fail(select.error());
  reader.select_.emplace(std::move(*select));
  return reader;
}

std::optional<RecordedRows> RecordedRowsReader::of(const ChunkHeader& chunk) {
  if (!select_) return RecordedRows{chunk.count};
  select_->bind(1, chunk.id);
  const auto row = select_->step();
  std::optional<RecordedRows> found;
  if (row && !*row) found = RecordedRows{chunk.count};
  if (const auto bytes = row && *row ? select_->blob(0) : std::nullopt;
      bytes && select_->integer(1) == checksum_of(chunk, *bytes)) {
    RecordedRows rows;
    for (std::size_t i = 0; i + 1 < bytes->size(); i += 2)
      rows.push_back((*bytes)[i] | (*bytes)[i + 1] << 8);
    const bool fits = std::find(rows.begin(), rows.end(), 0) == rows.end() &&
                      std::accumulate(rows.begin(), rows.end(), std::int64_t{0}) == chunk.count;
    if (fits) found = std::move(rows);
  }
  select_->reset();
  return found;
}

Result<RecordedRowsWriter> RecordedRowsWriter::prepare(const Database& database) {
  auto insert = database.prepare("INSERT INTO recorded VALUES(?,?,?)");
  if (!insert) return fail(insert.error());
  return RecordedRowsWriter(std::move(*insert));
}

Result<void> RecordedRowsWriter::write(const ChunkHeader& chunk, const RecordedRows& rows) {
  if (rows.size() == 1) return {};
  bytes_.clear();
  for (const auto count : rows) {
    bytes_.push_back(static_cast<std::uint8_t>(count));
    bytes_.push_back(static_cast<std::uint8_t>(count >> 8));
  }
  ++written_;
  insert_.bind(1, chunk.id);
  insert_.bind(2, std::span<const std::uint8_t>(bytes_));
  insert_.bind(3, checksum_of(chunk, bytes_));
  return insert_.run();
}

}  // namespace tactelier
