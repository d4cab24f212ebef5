#pragma once
// Writes CSV (RFC 4180, LF) with decimals exactly as they are stored.

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "libcalib/result.hpp"

namespace tactelier {

class CsvWriter {
 public:
  /// A new file. Fails with kIo.
  static Result<CsvWriter> create(const std::filesystem::path& file);
  CsvWriter(CsvWriter&& other) noexcept;
  CsvWriter& operator=(CsvWriter&&) = delete;
  ~CsvWriter();

  void text(std::string_view cell);  // quoted where it must be
  /// mantissa * 10^exponent in plain digits; kMissing is an empty cell.
  void number(std::int64_t mantissa, int exponent);
  Result<void> end_row();
  Result<void> close();

 private:
  CsvWriter() = default;
  void separate();
  Result<void> flush();

  std::FILE* file_ = nullptr;
  std::string name_;
  std::string buffer_;
  bool row_begun_ = false;
};

}  // namespace tactelier
