#pragma once
// Numbers as people read them: SI with a prefix where the plain unit would be unhandy, expanded
// uncertainty to two significant digits, the value to the same place (GUM 7.2.6) but no more than
// twelve digits.

#include <optional>
#include <string>
#include <string_view>

#include "libcalib/parameter.hpp"

namespace tactelier {

struct QuantityText {
  std::string value;        // "2012"; "-" when there is none
  std::string uncertainty;  // "24"; "" when none is known
  std::string unit;         // "N/m", "µN/count"
};

/// Half of a 95 % interval: u_total, else from ci95, else 1.96 std.
std::optional<double> expanded_uncertainty(const Parameter& parameter);

/// 0.1 <= |x| < 1e5 stays in the plain unit, the rest gets a prefix of a power of 1000. Counts,
/// percent, radians and ratios never get one.
QuantityText quantity_text(std::optional<double> value, std::optional<double> uncertainty,
                           std::string_view unit);
QuantityText quantity_text(const Parameter& parameter);

/// What a number in `unit` is multiplied by when the prefix is chosen for `magnitude`.
double prefix_factor(double magnitude, std::string_view unit);

}  // namespace tactelier
