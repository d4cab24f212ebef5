#include "libcalib/session/stream_compactor.hpp"

#include <utility>

#include "libcalib/guarded.hpp"
#include "libcalib/session/schema.hpp"

namespace tactelier {
namespace {

bool has_exponents(const StoredColumns& stored, std::size_t column) {
  return stored.columns[column].exponents_end > stored.columns[column].data_end;
}

/// Same exponent for all values of each column, so that one stands for both.
bool fits_behind(const StoredColumns& before, const StoredColumns& next) {
  for (std::size_t i = 0; i < before.columns.size(); ++i)
    if (has_exponents(before, i) || has_exponents(next, i) ||
        before.columns[i].header.exponent != next.columns[i].header.exponent)
      return false;
  return true;
}

}  // namespace

Result<void> StreamCompactor::add(const NumberedChunk& chunk, StoredColumns columns,
                                  const RecordedRows& rows) {
  const auto& header = chunk.header;
  if (!pending_.parts.empty() && (pending_.header.count + header.count > kCompactedRows ||
                                  !fits_behind(pending_.parts.front().columns, columns)))
    if (auto done = hand_over(); !done) return done;
  if (pending_.parts.empty()) {
    pending_.header = header;
  } else {
    pending_.header.count += header.count;
    pending_.header.t_last_s = header.t_last_s;
  }
  pending_.rows.insert(pending_.rows.end(), rows.begin(), rows.end());
  pending_.parts.push_back({chunk, std::move(columns)});
  return {};
}

Result<void> StreamCompactor::flush() {
  for (int stage = 0; stage < 3; ++stage)  // collected, decoded, written
    if (auto done = hand_over(); !done) return done;
  return {};
}

/// Each group one stage on. At most one is in each, so that three are in memory.
Result<void> StreamCompactor::hand_over() {
  if (writing_.valid())
    if (auto done = writing_.get(); !done) return done;
  if (decoding_.valid()) {
    auto decoded = decoding_.get();
    if (!decoded) return fail(decoded.error());
    writing_ = std::async(std::launch::async, [this, chunk = std::move(*decoded)] {
      return guarded("the thread that writes compacted chunks", [&] { return write(chunk); });
    });
  }
  if (pending_.parts.empty()) return {};
  pending_.header.id = chunk_id(stream_.kind, written_++);
  decoding_ = std::async(std::launch::async, [this, group = std::exchange(pending_, {})] {
    return guarded("the thread that decodes recorded chunks", [&] { return decode(group); });
  });
  return {};
}

Result<StreamCompactor::Decoded> StreamCompactor::decode(const Group& group) {
  Decoded whole{group.header, {}, group.rows};
  for (std::size_t i = 0; i < stream_.columns.size(); ++i) {
    const auto& first = group.parts.front().columns;
    auto& column = whole.columns.emplace_back();
    column.exponent = first.columns[i].header.exponent;
    column.mantissas.resize(static_cast<std::size_t>(group.header.count));
    std::span<std::int64_t> rest(column.mantissas);
    for (const auto& [chunk, stored] : group.parts) {
      const auto& [header, data_end, exponents_end] = stored.columns[i];
      const auto data_begin = i == 0 ? 0 : stored.columns[i - 1].exponents_end;
      const std::span<const std::uint8_t> bytes(stored.bytes);
      const auto data = bytes.subspan(data_begin, data_end - data_begin);
      const auto count = static_cast<std::size_t>(chunk.header.count);
      Result<void> sound;
      if (has_exponents(stored, i)) {  // such a chunk stays alone
        auto alone = decode_column(header, data, bytes.subspan(data_end, exponents_end - data_end),
                                   count, decoder_);
        if (alone)
          column = std::move(*alone);
        else
          sound = fail(alone.error());
      } else {
        sound = decode_values(header, data, decoder_, rest.first(count));
        rest = rest.subspan(count);
      }
      if (sound) continue;
      const Damage damage{stream_.kind, stream_.columns[i].name, chunk.header.t_first_s,
                          chunk.header.t_last_s, sound.error().message};
      return fail(ErrorCode::kDamaged, "{}", damage.describe());
    }
  }
  return whole;
}

Result<void> StreamCompactor::write(const Decoded& chunk) {
  auto header = chunk.header;
  header.first_blob = chunks_.next_blob();
  std::int64_t position = 0;
  for (const auto& column : chunk.columns) {
    const auto record = encode_column(column, encoder_);
    // What is written is read again before the recording's own file goes.
    const auto again = decode_column(record.header, record.data, record.exponents,
                                     column.mantissas.size(), read_back_);
    if (!again)
      return fail(ErrorCode::kIo, "a compacted chunk does not read as it was written: {}",
                  again.error().message);
    if (auto done = chunks_.write_column(header, position++, record); !done) return done;
  }
  return chunks_.write_chunk(header).and_then([&] { return recorded_.write(header, chunk.rows); });
}

}  // namespace tactelier
