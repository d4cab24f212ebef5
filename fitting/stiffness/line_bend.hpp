#pragma once
// Rows that are independent of one another along a law that is no line: their residuals are not.

#include <span>

namespace tactelier {

/// Into how many parts of equally many rows, in the order of x, a bend is looked for.
constexpr double kBendParts = 8;

/// By how much the parts' mean residuals are larger than independent rows give: the factor on a
/// standard error of the line, kBendParts - `parameters` degrees of freedom behind it. 1 where
/// chance gives such means (p > 0.001), and with fewer than kBendParts rows in a part.
double beyond_line(std::span<const double> x, std::span<const double> residuals, double parameters);

}  // namespace tactelier
