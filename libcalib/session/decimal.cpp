#include "libcalib/session/decimal.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>

namespace tactelier {
namespace {

constexpr int kMaxDigits = 18;    // 10^18 - 1 < 2^63
constexpr int kMaxExponent = 99;  // two digits, and well inside the stored byte
constexpr int kLongestFraction = 25;
constexpr std::int64_t kMaxMantissa = 999'999'999'999'999'999;
constexpr std::int64_t kExactInDouble = std::int64_t{1} << 53;

// Powers of ten that a double holds exactly: one multiplication or division rounds once.
constexpr std::array kExactPowers{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Digits of a number as they are read: leading zeros don't count as significant.
struct Digits {
  std::int64_t mantissa = 0;
  int significant = 0;
  int fraction = 0;
  bool any = false;

  bool take(const char*& next, const char* end, bool after_point) {
    for (; next != end && is_digit(*next); ++next) {
      any = true;
      if (mantissa != 0 || *next != '0') ++significant;
      if (significant > kMaxDigits) return false;
      mantissa = mantissa * 10 + (*next - '0');
      if (after_point) ++fraction;
    }
    return true;
  }
};

/// "e-12" at the end of a number; false when something else stands there.
bool take_exponent(const char*& next, const char* end, int& exponent) {
  ++next;  // the e
  if (next != end && *next == '+') {
    ++next;
    if (next != end && *next == '-') return false;
  }
  const auto [stop, error] = std::from_chars(next, end, exponent);
  if (error != std::errc{} || std::abs(exponent) > 10 * kMaxExponent) return false;
  next = stop;
  return true;
}

/// "1.5e3" is kept as 1500, so that it is written and read again as the same pair.
void prefer_plain_digits(Decimal& number) {
  if (number.mantissa == 0 && number.exponent > 0) number.exponent = 0;
  while (number.exponent > 0 && std::abs(number.mantissa) <= kMaxMantissa / 10) {
    number.mantissa *= 10;
    --number.exponent;
  }
}

}  // namespace

double Decimal::value() const {
  if (mantissa == kMissing) return std::numeric_limits<double>::quiet_NaN();
  const int power = std::abs(exponent);
  if (mantissa <= kExactInDouble && mantissa >= -kExactInDouble &&
      power < static_cast<int>(kExactPowers.size())) {
    const double scale = kExactPowers[static_cast<std::size_t>(power)];
    const auto digits = static_cast<double>(mantissa);
    return exponent < 0 ? digits / scale : digits * scale;
  }
  std::array<char, 32> buffer{};
  const auto* const end = fmt::format_to(buffer.data(), "{}e{}", mantissa, exponent);
  double result = 0;
  std::from_chars(buffer.data(), end, result);
  return result;
}

std::string Decimal::text() const {
  if (mantissa == kMissing) return {};
  if (exponent == 0) return fmt::format("{}", mantissa);
  if (exponent > 0 || exponent < -kLongestFraction) return fmt::format("{}e{}", mantissa, exponent);
  const auto fraction = static_cast<std::size_t>(-exponent);
  std::string digits = fmt::format("{}", std::abs(mantissa));
  if (digits.size() <= fraction) digits.insert(0, fraction + 1 - digits.size(), '0');
  digits.insert(digits.size() - fraction, 1, '.');
  return mantissa < 0 ? "-" + digits : digits;
}

std::optional<Decimal> parse_decimal(std::string_view text) {
  const char* next = text.data();
  const char* const end = next + text.size();
  const bool negative = next != end && *next == '-';
  if (next != end && (*next == '-' || *next == '+')) ++next;
  Digits digits;
  if (!digits.take(next, end, false)) return std::nullopt;
  if (next != end && *next == '.' && !digits.take(++next, end, true)) return std::nullopt;
  if (!digits.any) return std::nullopt;
  int exponent = 0;
  if (next != end && (*next == 'e' || *next == 'E') && !take_exponent(next, end, exponent))
    return std::nullopt;
  if (next != end) return std::nullopt;
  Decimal number{negative ? -digits.mantissa : digits.mantissa, exponent - digits.fraction};
  prefer_plain_digits(number);
  if (std::abs(number.exponent) > kMaxExponent) return std::nullopt;
  return number;
}

Decimal decimal_from(double value) {
  std::array<char, 40> buffer{};
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                     std::chars_format::scientific);
  return parse_decimal({buffer.data(), written.ptr}).value_or(Decimal{kMissing, 0});
}

}  // namespace tactelier
