#include "libcalib/session/stream_compactor.hpp"

#include <utility>

#include "libcalib/guarded.hpp"
#include "libcalib/session/schema.hpp"

namespace tactelier {
namespace {

/// Same exponent for all values of each column, so that one stands for both.
bool fits_behind(const std::vector<ColumnChunk>& before, const std::vector<ColumnChunk>& next) {
  for (std::size_t i = 0; i < before.size(); ++i)
    if (!before[i].exponents.empty() || !next[i].exponents.empty() ||
        before[i].exponent != next[i].exponent)
      return false;
  return true;
}

}  // namespace

Result<void> StreamCompactor::add(const ChunkHeader& header, std::vector<ColumnChunk> columns,
                                  const RecordedRows& rows) {
  auto& [whole, collected, parts] = pending_;
  if (whole.count > 0 &&
      (whole.count + header.count > kCompactedRows || !fits_behind(collected, columns)))
    if (auto done = write_pending(); !done) return done;
  if (whole.count == 0) {
    pending_ = {header, std::move(columns), rows};
    return {};
  }
  for (std::size_t i = 0; i < columns.size(); ++i)
    collected[i].mantissas.insert(collected[i].mantissas.end(), columns[i].mantissas.begin(),
                                  columns[i].mantissas.end());
  parts.insert(parts.end(), rows.begin(), rows.end());
  whole.count += header.count;
  whole.t_last_s = header.t_last_s;
  return {};
}

Result<void> StreamCompactor::flush() {
  if (pending_.header.count > 0)
    if (auto done = write_pending(); !done) return done;
  return wait();
}

Result<void> StreamCompactor::write_pending() {
  if (auto before = wait(); !before) return before;
  pending_.header.id = chunk_id(kind_, written_++);
  writing_ = std::async(std::launch::async, [this, chunk = std::exchange(pending_, {})] {
    return guarded("the thread that compacts", [&] { return write(chunk); });
  });
  return {};
}

Result<void> StreamCompactor::write(const Pending& chunk) {
  auto header = chunk.header;
  header.first_blob = chunks_.next_blob();
  std::int64_t position = 0;
  for (const auto& column : chunk.columns) {
    const auto record = encode_column(column, encoder_);
    // What is written is read again before the recording's own file goes.
    const auto again = decode_column(record.header, record.data, record.exponents,
                                     column.mantissas.size(), decoder_);
    if (!again) return fail(again.error());
    if (auto done = chunks_.write_column(header, position++, record); !done) return done;
  }
  return chunks_.write_chunk(header).and_then([&] { return recorded_.write(header, chunk.rows); });
}

}  // namespace tactelier
