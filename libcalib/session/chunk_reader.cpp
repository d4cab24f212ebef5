#include "libcalib/session/chunk_reader.hpp"

#include <cmath>
#include <utility>

namespace tactelier {
namespace {

constexpr std::string_view kHeaderSql =
    "SELECT count, t_first, t_last, first_blob, checksum FROM chunk WHERE id = ?";
constexpr std::string_view kBlobSql =
    "SELECT codec, width, exponent, base, min, max, checksum, exponents, data FROM blob "
    "WHERE id = ?";
constexpr std::string_view kChunkBlobsSql =
    "SELECT codec, width, exponent, base, min, max, checksum, exponents, data, id FROM blob "
    "WHERE id BETWEEN ? AND ?";
constexpr std::string_view kBlobHeaderSql =
    "SELECT codec, width, exponent, base, min, max, checksum FROM blob WHERE id = ?";

/// Resets a statement at the end of a scope: an open one would hold its page.
struct ResetAtEnd {
  Statement& statement;
  ~ResetAtEnd() { statement.reset(); }
};

Result<void> step_to_row(Statement& statement, std::int64_t id) {
  statement.bind(1, id);
  const auto row = statement.step();
  if (!row) return fail(ErrorCode::kDamaged, "cannot be read (damaged database page)");
  if (!*row) return fail(ErrorCode::kDamaged, "is missing");
  return {};
}

Bound bound(const Statement& row, int column) {
  if (const auto integer = row.integer(column)) return *integer;
  if (const auto real = row.real(column)) return *real;
  return {};
}

/// The row's header, trusted: its types, ranges and checksum fit this place.
std::optional<ColumnHeader> header_of(const Statement& row, const ChunkHeader& chunk,
                                      std::size_t position) {
  const auto codec = row.integer(0);
  const auto width = row.integer(1);
  const auto exponent = row.integer(2);
  const auto base = row.integer(3);
  const auto checksum = row.integer(6);
  if (!codec || !width || !exponent || !base || !checksum) return std::nullopt;
  if (*codec < 0 || *codec > 255 || *width < 0 || *width > 8 || *exponent < -128 || *exponent > 127)
    return std::nullopt;
  ColumnHeader header{static_cast<int>(*codec),
                      static_cast<int>(*width),
                      static_cast<int>(*exponent),
                      *base,
                      bound(row, 4),
                      bound(row, 5),
                      static_cast<std::uint32_t>(*checksum)};
  if (header.checksum(chunk, static_cast<std::int64_t>(position)) !=
      static_cast<std::uint64_t>(*checksum))
    return std::nullopt;
  return header;
}

/// What the row on which the statement stands holds; until its next step().
std::optional<ColumnRecord> parts_of(const Statement& row, const ChunkHeader& chunk,
                                     std::size_t position) {
  const auto header = header_of(row, chunk, position);
  const auto exponents = row.blob(7);
  const auto data = row.blob(8);
  if (!header || !data || (!exponents && !row.is_null(7))) return std::nullopt;
  return ColumnRecord{*header, exponents.value_or(std::span<const std::uint8_t>{}), *data};
}

Result<ColumnChunk> decode_row(const Statement& row, const ChunkHeader& chunk, std::size_t position,
                               Decoder& decoder) {
  const auto parts = parts_of(row, chunk, position);
  if (!parts) return fail(ErrorCode::kDamaged, "has a damaged header");
  return decode_column(parts->header, parts->data, parts->exponents,
                       static_cast<std::size_t>(chunk.count), decoder);
}

}  // namespace

ChunkReader::ChunkReader(Statement headers, Statement blobs, Statement chunk_blobs,
                         Statement blob_headers, RecordedRowsReader recorded, DamageLog& damage)
    : headers_(std::move(headers)),
      blobs_(std::move(blobs)),
      chunk_blobs_(std::move(chunk_blobs)),
      blob_headers_(std::move(blob_headers)),
      recorded_(std::move(recorded)),
      damage_(&damage) {}

Result<ChunkReader> ChunkReader::prepare(const Database& database, DamageLog& damage) {
  auto headers = database.prepare(kHeaderSql);
  if (!headers) return fail(headers.error());
  auto blobs = database.prepare(kBlobSql);
  if (!blobs) return fail(blobs.error());
  auto blob_headers = database.prepare(kBlobHeaderSql);
  if (!blob_headers) return fail(blob_headers.error());
  auto chunk_blobs = database.prepare(kChunkBlobsSql);
  if (!chunk_blobs) return fail(chunk_blobs.error());
  auto recorded = RecordedRowsReader::prepare(database);
  if (!recorded) return fail(recorded.error());
  return ChunkReader(std::move(*headers), std::move(*blobs), std::move(*chunk_blobs),
                     std::move(*blob_headers), std::move(*recorded), damage);
}

std::optional<ChunkHeader> ChunkReader::header(StreamKind stream, std::int64_t number,
                                               std::string* why) {
  const ResetAtEnd reset{headers_};
  const auto id = chunk_id(stream, number);
  const auto lost = [&](std::string_view reason) {
    if (why != nullptr) *why = reason;
    return std::nullopt;
  };
  if (const auto there = step_to_row(headers_, id); !there) return lost(there.error().message);
  const auto count = headers_.integer(0);
  const auto t_first = headers_.real(1);
  const auto t_last = headers_.real(2);
  const auto first_blob = headers_.integer(3);
  if (!count || !t_first || !t_last || !first_blob) return lost("has a damaged header");
  const ChunkHeader header{id, *count, *t_first, *t_last, *first_blob};
  if (headers_.integer(4) != std::int64_t{header.checksum()} || *count < 1 ||
      *count > static_cast<std::int64_t>(kMaxChunkRows))
    return lost("has a damaged header");
  return header;
}

std::int64_t ChunkReader::first_chunk(StreamKind stream, std::int64_t chunks, double begin_s) {
  if (std::isinf(begin_s) && begin_s < 0) return 0;
  std::int64_t low = 0;
  std::int64_t high = chunks;
  while (low < high) {
    const auto middle = low + (high - low) / 2;
    const auto found = header(stream, middle);
    if (!found) return 0;
    if (found->t_last_s < begin_s)
      low = middle + 1;
    else
      high = middle;
  }
  while (low > 0 && !header(stream, low - 1)) --low;
  return low;
}

void ChunkReader::note(const StreamInfo& stream, const NumberedChunk& chunk, std::size_t position,
                       const std::string& what) {
  damage_->note(stream.kind, stream.columns[position].name,
                {chunk.number, chunk.number, chunk.header.t_first_s, chunk.header.t_last_s}, what);
}

std::optional<ColumnChunk> ChunkReader::column(const StreamInfo& stream, const NumberedChunk& chunk,
                                               std::size_t position) {
  const ResetAtEnd reset{blobs_};
  const auto damaged = [&](const std::string& what) {
    note(stream, chunk, position, what);
    return std::nullopt;
  };
  const auto there =
      step_to_row(blobs_, chunk.header.first_blob + static_cast<std::int64_t>(position));
  if (!there) return damaged(there.error().message);
  auto values = decode_row(blobs_, chunk.header, position, decoder_);
  if (!values) return damaged(values.error().message);
  return std::move(*values);
}

std::optional<std::vector<DecodedColumn>> ChunkReader::columns(
    const StreamInfo& stream, const NumberedChunk& chunk, std::span<const std::size_t> positions) {
  std::vector<DecodedColumn> found;
  found.reserve(positions.size());
  bool whole = true;
  for (const auto position : positions) {
    auto known = decoded_.find(stream.kind, chunk.header.id, position);
    if (!known) {
      auto values = column(stream, chunk, position);
      whole = whole && values.has_value();
      if (!values) continue;  // whatever else is damaged is noted too
      known = std::make_shared<const ColumnChunk>(std::move(*values));
      decoded_.keep(stream.kind, chunk.header.id, position, known);
    }
    found.push_back(std::move(known));
  }
  if (!whole) return std::nullopt;
  return found;
}

template <typename Take>
bool ChunkReader::each_column(const StreamInfo& stream, const NumberedChunk& chunk, Take take) {
  const ResetAtEnd reset{chunk_blobs_};
  const auto size = static_cast<std::int64_t>(stream.columns.size());
  const auto first = chunk.header.first_blob;
  chunk_blobs_.bind(1, first);
  chunk_blobs_.bind(2, first + size - 1);
  for (std::int64_t position = 0; position < size; ++position) {
    const auto row = chunk_blobs_.step();
    if (!row || !*row || chunk_blobs_.integer(9) != first + position ||
        !take(chunk_blobs_, static_cast<std::size_t>(position)))
      return false;
  }
  return true;
}

std::optional<std::vector<ColumnChunk>> ChunkReader::one_by_one(const StreamInfo& stream,
                                                                const NumberedChunk& chunk) {
  std::vector<ColumnChunk> found;
  for (std::size_t position = 0; position < stream.columns.size(); ++position)
    if (auto values = column(stream, chunk, position)) found.push_back(std::move(*values));
  if (found.size() < stream.columns.size()) return std::nullopt;
  return found;
}

std::optional<std::vector<ColumnChunk>> ChunkReader::columns(const StreamInfo& stream,
                                                             const NumberedChunk& chunk) {
  std::vector<ColumnChunk> found;
  found.reserve(stream.columns.size());
  const bool whole = each_column(stream, chunk, [&](const Statement& row, std::size_t position) {
    auto values = decode_row(row, chunk.header, position, decoder_);
    if (values) found.push_back(std::move(*values));
    return values.has_value();
  });
  if (whole) return found;
  return one_by_one(stream, chunk);
}

std::optional<StoredColumns> ChunkReader::stored_columns(const StreamInfo& stream,
                                                         const NumberedChunk& chunk) {
  StoredColumns stored;
  stored.columns.reserve(stream.columns.size());
  const bool whole = each_column(stream, chunk, [&](const Statement& row, std::size_t position) {
    const auto found = parts_of(row, chunk.header, position);
    if (!found) return false;
    auto& bytes = stored.bytes;
    bytes.insert(bytes.end(), found->data.begin(), found->data.end());
    const auto data_end = bytes.size();
    bytes.insert(bytes.end(), found->exponents.begin(), found->exponents.end());
    stored.columns.push_back({found->header, data_end, bytes.size()});
    return true;
  });
  if (whole) return stored;
  // What is missing is noted; what can be read one by one after all would be an error of SQLite's.
  (void)one_by_one(stream, chunk);
  return std::nullopt;
}

RecordedRows ChunkReader::recorded_rows(const StreamInfo& stream, const NumberedChunk& chunk) {
  if (auto rows = recorded_.of(chunk.header)) return std::move(*rows);
  damage_->note(stream.kind, "",
                {chunk.number, chunk.number, chunk.header.t_first_s, chunk.header.t_last_s},
                "of which recorded chunks it is made is damaged; its values are whole");
  return {chunk.header.count};
}

std::optional<ColumnHeader> ChunkReader::column_header(const StreamInfo& stream,
                                                       const NumberedChunk& chunk,
                                                       std::size_t position) {
  const ResetAtEnd reset{blob_headers_};
  const auto there =
      step_to_row(blob_headers_, chunk.header.first_blob + static_cast<std::int64_t>(position));
  auto header = there ? header_of(blob_headers_, chunk.header, position) : std::nullopt;
  if (!header)
    note(stream, chunk, position, there ? "has a damaged header" : there.error().message);
  return header;
}

}  // namespace tactelier
