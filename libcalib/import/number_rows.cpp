#include "libcalib/import/number_rows.hpp"

#include <charconv>
#include <cmath>
#include <cstring>

#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr std::ptrdiff_t kMaxDigits = 18;

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((text[i] | 0x20) != lower[i]) return false;
  return true;
}

std::string problem_of(std::string_view cell) {
  auto bare = cell;
  if (!bare.empty() && (bare.front() == '-' || bare.front() == '+')) bare.remove_prefix(1);
  if (equals_ignoring_case(bare, "inf") || equals_ignoring_case(bare, "infinity"))
    return fmt::format("'{}' is no reading; leave the cell empty", cell);
  if (cell.find('\0') != cell.npos) return "a NUL byte; this is not a text file";
  if (cell.find_first_not_of("+-0123456789.,eE") != cell.npos)
    return fmt::format("'{}' is not a number", shown(cell));
  if (cell.find(',') != cell.npos)
    return fmt::format("'{}' is not a number; write a decimal point, not a comma", shown(cell));
  std::size_t digits = 0;
  bool leading = true;
  for (const char c : cell.substr(0, cell.find_first_of("eE"))) {
    leading = leading && (c == '0' || !is_digit(c));
    digits += !leading && is_digit(c) ? 1 : 0;
  }
  if (digits > static_cast<std::size_t>(kMaxDigits))
    return fmt::format("'{}' has {} significant digits; at most {} can be kept", shown(cell),
                       digits, kMaxDigits);
  if (cell.find_first_of("eE") != cell.npos)
    return fmt::format("'{}' is not a number between 1e-99 and 1e99", shown(cell));
  return fmt::format("'{}' is not a number", shown(cell));
}

}  // namespace

std::optional<Decimal> read_number(std::string_view cell, std::string& why) {
  cell = trimmed(cell);
  if (cell.empty() || equals_ignoring_case(cell, "nan")) return Decimal{kMissing, 0};
  if (const auto number = parse_decimal(cell)) return number;
  why = problem_of(cell);
  return std::nullopt;
}

std::optional<Decimal> read_table_number(std::string_view cell, std::string& why) {
  if (const auto number = read_number(cell, why)) return number;
  cell = trimmed(cell);
  if (cell.starts_with('+')) cell.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || end != cell.data() + cell.size()) return std::nullopt;
  if (!std::isfinite(value)) return Decimal{kMissing, 0};  // a program divided by nothing
  const auto number = decimal_from(value);
  return number.mantissa == kMissing ? std::nullopt : std::optional(number);
}

NumberRows::NumberRows(CsvReader& reader, const StreamHeader& header)
    : blocks_(reader.blocks()),
      header_(header),
      at_(reader.rest().data()),
      end_(at_ + reader.rest().size()),
      line_(reader.next_line() - 1) {}

RowRead NumberRows::give_up(Error error) {
  error_ = std::move(error);
  return RowRead::kError;
}

RowRead NumberRows::refill() {
  const auto block = blocks_.next(line_ + 1);
  if (!block) return give_up(block.error());
  at_ = block->data();
  end_ = at_ + block->size();
  return block->empty() ? RowRead::kEnd : RowRead::kRow;
}

RowRead NumberRows::next(std::int64_t* mantissas, std::int8_t* exponents) {
  for (;;) {
    if (at_ == end_)
      if (const auto more = refill(); more != RowRead::kRow) return more;
    ++line_;
    if (read_plain(mantissas, exponents) && blank_line_ == 0) return RowRead::kRow;
    const bool blank = *at_ == '\n' || (*at_ == '\r' && at_[1] == '\n');
    if (!blank) return read_carefully(mantissas, exponents);
    if (blank_line_ == 0) blank_line_ = line_;
    at_ += *at_ == '\n' ? 1 : 2;
  }
}

/// Every block ends in '\n', which stops each of the loops: no other end is looked for.
bool NumberRows::read_plain(std::int64_t* mantissas, std::int8_t* exponents) {
  const char* p = at_;
  const std::size_t columns = header_.slots.size();
  for (std::size_t column = 0; column < columns; ++column) {
    const bool negative = *p == '-';
    p += negative ? 1 : 0;
    const char* const first = p;
    std::uint64_t value = 0;
    while (is_digit(*p)) value = value * 10 + static_cast<std::uint64_t>(*p++ - '0');
    std::ptrdiff_t digits = p - first;
    std::ptrdiff_t decimals = 0;
    if (*p == '.') {
      const char* const point = ++p;
      while (is_digit(*p)) value = value * 10 + static_cast<std::uint64_t>(*p++ - '0');
      decimals = p - point;
      digits += decimals;
    }
    if (digits == 0 || digits > kMaxDigits) return false;
    const bool last = column + 1 == columns;
    if (last && *p == '\r') ++p;
    if (*p != (last ? '\n' : ',')) return false;
    ++p;
    const std::size_t slot = header_.slots[column];
    const auto magnitude = static_cast<std::int64_t>(value);
    mantissas[slot] = negative ? -magnitude : magnitude;
    exponents[slot] = static_cast<std::int8_t>(-decimals);
  }
  if (blank_line_ == 0) at_ = p;
  return true;
}

RowRead NumberRows::read_carefully(std::int64_t* mantissas, std::int8_t* exponents) {
  const auto bad = [this](std::string_view what) {
    return give_up(
        {ErrorCode::kInvalidInput, fmt::format("{}:{}: {}", blocks_.name(), line_, what)});
  };
  if (blank_line_ != 0) {
    line_ = blank_line_;
    return bad("a blank line between rows");
  }
  const auto* stop =
      static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
  std::string_view row(at_, static_cast<std::size_t>(stop - at_));
  at_ = stop + 1;
  if (row.ends_with('\r')) row.remove_suffix(1);
  if (row.find('\0') != row.npos) return bad("a NUL byte; this is not a text file");
  if (const auto split = split_record(row, ',', cells_, scratch_); split != Split::kDone)
    return bad(describe(split));
  const auto& labels = header_.labels;
  if (cells_.size() != labels.size())
    return bad(fmt::format("{} cells, but the header has {} columns: the row is too {}",
                           cells_.size(), labels.size(),
                           cells_.size() < labels.size() ? "short" : "long"));
  std::string why;
  for (std::size_t column = 0; column < labels.size(); ++column) {
    const auto number = read_number(cells_[column], why);
    if (!number) return bad(fmt::format("column '{}': {}", labels[column], why));
    const std::size_t slot = header_.slots[column];
    mantissas[slot] = number->mantissa;
    exponents[slot] = static_cast<std::int8_t>(number->exponent);
  }
  return RowRead::kRow;
}

}  // namespace tactelier
