#pragma once
// What one row of the tables `chunk` and `blob` holds, its checksums, and the way between a
// ColumnChunk and such a row (docs/session-format.md). No database here.

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "libcalib/result.hpp"
#include "libcalib/session/codec.hpp"
#include "libcalib/session/stream.hpp"

namespace tactelier {

/// Row of `chunk`: one stretch of one stream. Its column i is the row first_blob + i of `blob`.
struct ChunkHeader {
  std::int64_t id = 0;
  std::int64_t count = 0;  // rows
  double t_first_s = 0;    // stream's own clock
  double t_last_s = 0;
  std::int64_t first_blob = 0;

  std::uint32_t checksum() const;
};

/// Streams are 1, 2, 3, 4 in files; a stream's chunks are numbered from 0 without gaps, so a lost
/// one is noticed and each is found without an index.
std::int64_t stream_id(StreamKind kind);
std::int64_t chunk_id(StreamKind kind, std::int64_t number);

/// Smallest or largest value of a column chunk: integer times 10^exponent; a double where every
/// value has its own exponent; nothing where all are missing.
using Bound = std::variant<std::monostate, std::int64_t, double>;

/// Row of `blob`, less its data.
struct ColumnHeader {
  int codec = 0;
  int width = 0;
  int exponent = 0;
  std::int64_t base = 0;
  Bound min;
  Bound max;
  std::uint32_t values_crc = 0;  // over the decoded integers, then the exponents if there are any

  /// Header and values in one number: CRC-32 of this header at its place in the upper half,
  /// values_crc in the lower one. The header is trusted without decoding the values, and the
  /// values' half doesn't depend on the compressor.
  std::uint64_t checksum(const ChunkHeader& chunk, std::int64_t column) const;
};

struct Bounds {
  Bound min;
  Bound max;
  bool operator==(const Bounds&) const = default;
};
Bounds bounds(const ColumnChunk& column);
std::uint32_t values_checksum(const ColumnChunk& column);
/// Of rows [first, first + rows).
std::uint32_t values_checksum(const ColumnChunk& column, std::size_t first, std::size_t rows);

/// Rows [first, first + rows).
ColumnChunk slice(const ColumnChunk& column, std::size_t first, std::size_t rows);

/// A row of `blob`; the exponents live in the column, the data in the encoder until it is used
/// again.
struct ColumnRecord {
  ColumnHeader header;
  std::span<const std::uint8_t> exponents;
  std::span<const std::uint8_t> data;
};
ColumnRecord encode_column(const ColumnChunk& column, Encoder& encoder);

/// Into `values`, whose exponent is the header's. Fails with kDamaged unless they are exactly those
/// that were written. `header` has passed its own checksum.
Result<void> decode_values(const ColumnHeader& header, std::span<const std::uint8_t> data,
                           Decoder& decoder, std::span<std::int64_t> values);

/// The same of any column, exponents of its own or not.
Result<ColumnChunk> decode_column(const ColumnHeader& header, std::span<const std::uint8_t> data,
                                  std::span<const std::uint8_t> exponents, std::size_t count,
                                  Decoder& decoder);

/// Appends rows [first, last) in SI units to `out`; missing ones are NaN.
void append_si(const ColumnChunk& column, double to_si, std::size_t first, std::size_t last,
               std::vector<double>& out);

}  // namespace tactelier
