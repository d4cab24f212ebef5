#pragma once
// A number as it was written: mantissa * 10^exponent, no rounding. Imported columns are kept like
// this, so that import -> unpack -> import gives the same decimal digits (docs/session-format.md).

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "libcalib/result.hpp"

namespace tactelier {

/// An empty cell. Reads as NaN.
constexpr std::int64_t kMissing = std::numeric_limits<std::int64_t>::min();

struct Decimal {
  std::int64_t mantissa = 0;
  int exponent = 0;  // -99 .. 99

  double value() const;  // correctly rounded; NaN when missing
  /// "-0.0125"; with an exponent only where plain digits can't hold it: exponent > 0 or < -25.
  /// Reads back as the same mantissa and exponent. "" when missing.
  std::string text() const;
  bool operator==(const Decimal&) const = default;
};

/// Reads "-1.25", "3", "+.5", "1e-3" whatever the locale; at most 18 significant digits. "1.5e3" is
/// 1500 * 10^0: an exponent above 0 is kept only where 18 digits don't suffice. Fails (empty) on
/// everything else: words, infinities, hexadecimal, a decimal comma, trailing characters.
std::optional<Decimal> parse_decimal(std::string_view text);

/// The shortest decimal that reads back as `value`; missing for NaN, infinities and numbers that
/// need an exponent beyond +-99.
Decimal decimal_from(double value);

}  // namespace tactelier
