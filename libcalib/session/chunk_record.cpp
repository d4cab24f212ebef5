#include "libcalib/session/chunk_record.hpp"

#include <algorithm>
#include <limits>

#include "libcalib/session/checksum.hpp"

namespace tactelier {
namespace {

constexpr int kChunkNumberBits = 32;

void add_bound(Checksum& crc, const Bound& bound) {
  crc.add(static_cast<std::int64_t>(bound.index()));
  if (const auto* integer = std::get_if<std::int64_t>(&bound)) crc.add(*integer);
  if (const auto* real = std::get_if<double>(&bound)) crc.add(*real);
}

Bounds integer_bounds(std::span<const std::int64_t> mantissas) {
  std::int64_t min = std::numeric_limits<std::int64_t>::max();
  std::int64_t max = kMissing;  // the smallest integer, so missing cells don't count
  for (const auto mantissa : mantissas) {
    max = std::max(max, mantissa);
    min = std::min(min, mantissa == kMissing ? min : mantissa);
  }
  if (max == kMissing) return {};
  return {min, max};
}

Bounds real_bounds(const ColumnChunk& column) {
  double min = std::numeric_limits<double>::infinity();
  double max = -min;
  for (std::size_t row = 0; row < column.mantissas.size(); ++row) {
    if (column.mantissas[row] == kMissing) continue;
    const double value = column.at(row).value();
    min = std::min(min, value);
    max = std::max(max, value);
  }
  if (min > max) return {};
  return {min, max};
}

std::span<const std::uint8_t> as_bytes(const std::vector<std::int8_t>& exponents) {
  return {reinterpret_cast<const std::uint8_t*>(exponents.data()), exponents.size()};
}

/// What was decoded against what its header says of it.
Result<void> compare(const ColumnHeader& header, std::uint32_t values_crc, const Bounds& range) {
  if (values_crc != header.values_crc)
    return fail(ErrorCode::kDamaged, "its checksum does not match");
  if (range != Bounds{header.min, header.max})
    return fail(ErrorCode::kDamaged, "its minimum or maximum does not match");
  return {};
}

}  // namespace

std::uint32_t ChunkHeader::checksum() const {
  return Checksum().add(id).add(count).add(t_first_s).add(t_last_s).add(first_blob).value();
}

std::int64_t stream_id(StreamKind kind) { return static_cast<std::int64_t>(kind) + 1; }

std::int64_t chunk_id(StreamKind kind, std::int64_t number) {
  return (stream_id(kind) << kChunkNumberBits) + number;
}

std::uint64_t ColumnHeader::checksum(const ChunkHeader& chunk, std::int64_t column) const {
  Checksum crc;
  crc.add(chunk.id).add(chunk.count).add(column);
  crc.add(std::int64_t{codec}).add(std::int64_t{width}).add(std::int64_t{exponent}).add(base);
  add_bound(crc, min);
  add_bound(crc, max);
  crc.add(std::int64_t{values_crc});
  return (std::uint64_t{crc.value()} << 32) | values_crc;
}

Bounds bounds(const ColumnChunk& column) {
  return column.exponents.empty() ? integer_bounds(column.mantissas) : real_bounds(column);
}

std::uint32_t values_checksum(const ColumnChunk& column) {
  return values_checksum(column, 0, column.mantissas.size());
}

std::uint32_t values_checksum(const ColumnChunk& column, std::size_t first, std::size_t rows) {
  Checksum crc;
  crc.add(std::span(column.mantissas).subspan(first, rows));
  if (!column.exponents.empty()) crc.add(as_bytes(column.exponents).subspan(first, rows));
  return crc.value();
}

ColumnChunk slice(const ColumnChunk& column, std::size_t first, std::size_t rows) {
  const auto begin = static_cast<std::ptrdiff_t>(first);
  const auto end = begin + static_cast<std::ptrdiff_t>(rows);
  ColumnChunk part;
  part.exponent = column.exponent;
  part.mantissas.assign(column.mantissas.begin() + begin, column.mantissas.begin() + end);
  if (!column.exponents.empty())
    part.exponents.assign(column.exponents.begin() + begin, column.exponents.begin() + end);
  return part;
}

ColumnRecord encode_column(const ColumnChunk& column, Encoder& encoder) {
  const auto& encoded = encoder.encode(column.mantissas);
  const auto range = bounds(column);
  const int exponent = column.exponents.empty() ? column.exponent : 0;
  return {{static_cast<int>(encoded.codec), encoded.width, exponent, encoded.base, range.min,
           range.max, values_checksum(column)},
          as_bytes(column.exponents),
          encoded.data};
}

Result<void> decode_values(const ColumnHeader& header, std::span<const std::uint8_t> data,
                           Decoder& decoder, std::span<std::int64_t> values) {
  if (auto decoded = decoder.decode(header.codec, header.width, header.base, data, values);
      !decoded)
    return decoded;
  return compare(header, Checksum().add(std::span<const std::int64_t>(values)).value(),
                 integer_bounds(values));
}

Result<ColumnChunk> decode_column(const ColumnHeader& header, std::span<const std::uint8_t> data,
                                  std::span<const std::uint8_t> exponents, std::size_t count,
                                  Decoder& decoder) {
  ColumnChunk column;
  column.exponent = header.exponent;
  column.mantissas.resize(count);
  if (exponents.empty()) {
    const auto decoded = decode_values(header, data, decoder, column.mantissas);
    if (!decoded) return fail(decoded.error());
    return column;
  }
  if (exponents.size() != count) return fail(ErrorCode::kDamaged, "its exponents are incomplete");
  column.exponents.assign(exponents.begin(), exponents.end());
  auto sound = decoder.decode(header.codec, header.width, header.base, data, column.mantissas);
  if (sound) sound = compare(header, values_checksum(column), bounds(column));
  if (!sound) return fail(sound.error());
  return column;
}

void append_si(const ColumnChunk& column, double to_si, std::size_t first, std::size_t last,
               std::vector<double>& out) {
  const auto begin = out.size();
  out.resize(begin + (last - first));
  auto* next = out.data() + begin;
  if (!column.exponents.empty() || column.exponent != 0) {
    for (std::size_t row = first; row < last; ++row) *next++ = column.si(row, to_si);
    return;
  }
  for (std::size_t row = first; row < last; ++row) {
    const auto counts = column.mantissas[row];
    const double value = static_cast<double>(counts) * to_si;
    *next++ = counts == kMissing ? std::numeric_limits<double>::quiet_NaN() : value;
  }
}

}  // namespace tactelier
