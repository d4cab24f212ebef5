#pragma once
// Cuts the rows of a stream into chunks by a rule that depends on nothing but the rows, and brings
// each column of a chunk to one exponent, so that import -> unpack -> import gives the same bytes.

#include <cstdint>
#include <vector>

#include "libcalib/result.hpp"
#include "libcalib/session/session_writer.hpp"
#include "libcalib/session/stream.hpp"

namespace tactelier {

class ChunkBuilder {
 public:
  /// The stream is added to `writer` with its first row.
  ChunkBuilder(SessionWriter& writer, StreamInfo info);

  /// Where the next row goes, one entry per column, valid until take_row().
  std::int64_t* mantissas() { return mantissas_.data() + rows_ * columns_; }
  std::int8_t* exponents() { return exponents_.data() + rows_ * columns_; }
  /// Takes the row just filled in; column 0 is the time, not missing, not before the last one.
  Result<void> take_row();
  /// SI time of the row just filled in.
  double time_s();
  Result<void> finish();
  std::uint64_t rows() const { return total_rows_; }
  const StreamInfo& info() const { return info_; }

 private:
  Result<void> flush();
  void make_room();

  SessionWriter& writer_;
  StreamInfo info_;
  std::size_t columns_;
  std::size_t most_rows_;
  double time_to_si_;
  std::vector<std::int64_t> mantissas_;  // rows x columns of the open chunk, row by row
  std::vector<std::int8_t> exponents_;
  std::size_t rows_ = 0;
  double first_s_ = 0;
  std::uint64_t total_rows_ = 0;
  std::uint64_t uncommitted_cells_ = 0;
  StreamChunk chunk_;
};

/// Brings `count` decimals, `stride` apart, to the smallest exponent among them; where 18 digits
/// don't suffice, each keeps its own.
void to_column(const std::int64_t* mantissas, const std::int8_t* exponents, std::size_t count,
               std::size_t stride, ColumnChunk& column);

}  // namespace tactelier
