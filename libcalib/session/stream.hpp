#pragma once
// Streams of a session and the integer chunks that they are stored in.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/session/decimal.hpp"

namespace tactelier {

enum class StreamKind { kForce, kStage, kTactile, kAux };
inline constexpr std::array kStreamKinds{StreamKind::kForce, StreamKind::kStage,
                                         StreamKind::kTactile, StreamKind::kAux};

/// "force", "stage", "tactile", "aux": the name of the file in a session folder, too.
std::string_view to_string(StreamKind kind);

/// One column as stored. SI value = integer * 10^exponent * scale * unit.to_si, where the exponent
/// belongs to the chunk (imported columns; scale 1) or is 0 (recorded ones; scale is the device's).
struct ColumnInfo {
  std::string name;    // "t", "Fz", "z_enc", "14" or "14.x" for a tactel, "t_host", "seq", "status"
  std::string unit;    // as in the header's brackets; "" for tactels, seq, status
  double scale = 1.0;  // recorded columns: device integer -> `unit`

  /// Factor from mantissa * 10^exponent to SI: scale * unit.to_si.
  double to_si() const;
  bool operator==(const ColumnInfo&) const = default;
};

/// columns[0] is always the stream's own time "t".
struct StreamInfo {
  StreamKind kind{};
  std::vector<ColumnInfo> columns;

  /// Index of a column by name, -1 when there is none.
  int find(std::string_view name) const;
  bool operator==(const StreamInfo&) const = default;
};

/// Consecutive values of one column. Missing cells are kMissing.
/// The exponent is one for the chunk; where the written exponents can't be brought to one without
/// overflow, `exponents` holds one per value and `exponent` is not used.
struct ColumnChunk {
  std::vector<std::int64_t> mantissas;
  int exponent = 0;
  std::vector<std::int8_t> exponents;

  Decimal at(std::size_t row) const;
  /// `to_si` of the column; NaN for missing.
  double si(std::size_t row, double to_si) const;
  bool operator==(const ColumnChunk&) const = default;
};

/// Values as they were written into one column: all at the smallest exponent among them where 18
/// digits suffice, which writes "1.5" as "1.50" beside "1.25"; else each with its own.
ColumnChunk column_chunk(std::span<const Decimal> values);

/// A stretch of one stream, about 100 ms: columns in the order of StreamInfo, all of equal length.
struct StreamChunk {
  std::vector<ColumnChunk> columns;
  std::size_t rows() const { return columns.empty() ? 0 : columns.front().mantissas.size(); }
  bool operator==(const StreamChunk&) const = default;
};

/// When a chunk is full: it spans kChunkSpan_s and, on import, has at least kMinImportRows rows, so
/// that slow streams don't become one blob per sample.
constexpr double kChunkSpan_s = 0.1;
constexpr std::size_t kMinImportRows = 32;
constexpr std::size_t kMaxChunkRows = 16384;

}  // namespace tactelier
