#include "libcalib/import/chunk_builder.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "libcalib/session/decimal.hpp"

namespace tactelier {
namespace {

constexpr std::int64_t kMaxMantissa = 999'999'999'999'999'999;  // 18 digits
constexpr std::size_t kMaxChunkCells = std::size_t{1} << 20U;   // wide streams: 8 MiB a chunk
constexpr std::uint64_t kCommitCells = std::uint64_t{1} << 23U;

constexpr auto kPowersOf10 = [] {
  std::array<std::int64_t, 19> powers{};
  std::int64_t power = 1;
  for (auto& entry : powers) {
    entry = power;
    if (power <= kMaxMantissa) power *= 10;
  }
  return powers;
}();

struct ExponentRange {
  int least = 0;
  bool uniform = true;  // all alike
};

ExponentRange exponent_range(const std::int64_t* mantissas, const std::int8_t* exponents,
                             std::size_t count, std::size_t stride) {
  int least = 127;
  int most = -128;
  for (std::size_t i = 0; i < count; ++i) {
    if (mantissas[i * stride] == kMissing) continue;
    least = std::min<int>(least, exponents[i * stride]);
    most = std::max<int>(most, exponents[i * stride]);
  }
  if (most < least) return {};  // all missing
  return {least, least == most};
}

/// False when the mantissa would need more than 18 digits.
bool shifted(std::int64_t mantissa, int by, std::int64_t& out) {
  out = mantissa;
  if (by == 0 || mantissa == kMissing || mantissa == 0) return true;
  if (by > 18) return false;
  const auto power = kPowersOf10[static_cast<std::size_t>(by)];
  const auto limit = kMaxMantissa / power;
  if (mantissa > limit || mantissa < -limit) return false;
  out = mantissa * power;
  return true;
}

}  // namespace

void to_column(const std::int64_t* mantissas, const std::int8_t* exponents, std::size_t count,
               std::size_t stride, ColumnChunk& column) {
  const auto range = exponent_range(mantissas, exponents, count, stride);
  column.exponent = range.least;
  column.exponents.clear();
  column.mantissas.resize(count);
  if (range.uniform) {
    for (std::size_t i = 0; i < count; ++i) column.mantissas[i] = mantissas[i * stride];
    return;
  }
  bool fits = true;
  for (std::size_t i = 0; i < count && fits; ++i)
    fits = shifted(mantissas[i * stride], exponents[i * stride] - range.least, column.mantissas[i]);
  if (fits) return;
  column.exponent = 0;
  column.exponents.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    column.mantissas[i] = mantissas[i * stride];
    column.exponents[i] =
        mantissas[i * stride] == kMissing ? std::int8_t{0} : exponents[i * stride];
  }
}

ChunkBuilder::ChunkBuilder(SessionWriter& writer, StreamInfo info)
    : writer_(writer),
      info_(std::move(info)),
      columns_(info_.columns.size()),
      most_rows_(std::clamp(kMaxChunkCells / columns_, std::size_t{1}, kMaxChunkRows)),
      time_to_si_(info_.columns.front().to_si()) {
  chunk_.columns.resize(columns_);
  make_room();
}

void ChunkBuilder::make_room() {
  if ((rows_ + 1) * columns_ <= mantissas_.size()) return;
  const auto rows = std::min(most_rows_, std::max<std::size_t>(kMinImportRows, 2 * rows_));
  mantissas_.resize(std::max(rows, rows_ + 1) * columns_);
  exponents_.resize(mantissas_.size());
}

double ChunkBuilder::time_s() { return Decimal{*mantissas(), *exponents()}.value() * time_to_si_; }

Result<void> ChunkBuilder::take_row() {
  const double now_s = time_s();
  const bool spans = rows_ >= kMinImportRows && now_s - first_s_ >= kChunkSpan_s;
  if (spans || rows_ == most_rows_) {
    const auto next = rows_ * columns_;
    if (const auto flushed = flush(); !flushed) return flushed;
    std::copy_n(mantissas_.begin() + static_cast<std::ptrdiff_t>(next), columns_,
                mantissas_.begin());
    std::copy_n(exponents_.begin() + static_cast<std::ptrdiff_t>(next), columns_,
                exponents_.begin());
  }
  if (rows_ == 0) first_s_ = now_s;
  ++rows_;
  make_room();
  return {};
}

Result<void> ChunkBuilder::flush() {
  if (rows_ == 0) return {};
  if (total_rows_ == 0)
    if (const auto added = writer_.add_stream(info_); !added) return added;
  for (std::size_t c = 0; c < columns_; ++c)
    to_column(mantissas_.data() + c, exponents_.data() + c, rows_, columns_, chunk_.columns[c]);
  if (const auto appended = writer_.append(info_.kind, chunk_); !appended) return appended;
  total_rows_ += rows_;
  uncommitted_cells_ += rows_ * columns_;
  rows_ = 0;
  if (uncommitted_cells_ < kCommitCells) return {};
  uncommitted_cells_ = 0;
  return writer_.commit();
}

Result<void> ChunkBuilder::finish() { return flush(); }

}  // namespace tactelier
