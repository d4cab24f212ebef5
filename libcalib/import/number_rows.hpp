#pragma once
// The fast way through the rows of a stream: decimal cells straight from the block into integers.
// Plain numbers ("-12.0345", up to 18 digits) are read in one pass without looking for cell ends
// first; whatever else a row holds goes through the careful way, which also words the errors.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/import/csv_reader.hpp"
#include "libcalib/import/stream_header.hpp"
#include "libcalib/result.hpp"
#include "libcalib/session/decimal.hpp"

namespace tactelier {

enum class RowRead { kRow, kEnd, kError };

class NumberRows {
 public:
  /// Takes over behind the header that `reader` has just read.
  NumberRows(CsvReader& reader, const StreamHeader& header);

  /// Fills one row in the order of header.info: mantissas[c] * 10^exponents[c]; empty cells and NaN
  /// are kMissing with exponent 0.
  RowRead next(std::int64_t* mantissas, std::int8_t* exponents);
  /// Of the row read last.
  std::uint64_t line() const { return line_; }
  const Error& error() const { return error_; }

 private:
  RowRead refill();
  bool read_plain(std::int64_t* mantissas, std::int8_t* exponents);
  RowRead read_carefully(std::int64_t* mantissas, std::int8_t* exponents);
  RowRead give_up(Error error);

  LineBlocks& blocks_;
  const StreamHeader& header_;
  const char* at_ = nullptr;   // next row
  const char* end_ = nullptr;  // behind the block's last '\n'
  std::uint64_t line_ = 0;
  std::uint64_t blank_line_ = 0;  // first of the blank lines before at_, 0: none
  Error error_;
  std::vector<std::string_view> cells_;
  std::string scratch_;
};

/// One cell: digits as written; empty or NaN is missing. On failure `why` says what it is instead.
std::optional<Decimal> read_number(std::string_view cell, std::string& why);

/// As read_number(), of a table that need not come out again digit for digit: what has more digits
/// than are kept ("1.000000000000000056e-01" of numpy.savetxt) becomes the shortest decimal that is
/// the same double.
std::optional<Decimal> read_table_number(std::string_view cell, std::string& why);

}  // namespace tactelier
