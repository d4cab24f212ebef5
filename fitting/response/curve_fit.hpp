#pragma once
// Curves instead of a line, for tactels whose readings bend over the force
// (docs/theory/response.md 4):
// polynomials of degree 1 to 3 and a monotone I-spline, all on the same means of the same readings
// between dead zone and ceiling, so that they can be compared. A line among them is degree 1.

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "fitting/response/affine_fit.hpp"

namespace tactelier {

enum class CurveShape { kLine, kQuadratic, kCubic, kMonotone };
constexpr std::array kCurveShapes{CurveShape::kLine, CurveShape::kQuadratic, CurveShape::kCubic,
                                  CurveShape::kMonotone};
std::string_view to_string(CurveShape shape);

/// Readings of one press over a stretch of force, brought to means of equally wide intervals.
struct CurvePress {
  std::vector<double> force_N, counts;  // means, force ascending; counts as read
  std::vector<double> weight;           // readings in each
  double scatter = 0;                   // sum of squares of readings about the means
};

/// Between two forces; each press's readings divided by `scale` of the rise above `offset_counts`,
/// so that presses that differ as a whole don't hide how the curve bends.
struct CurveData {
  double low_N = 0, high_N = 0;
  double offset_counts = 0;
  std::vector<CurvePress> presses;
};

struct CurveFit {
  CurveShape shape = CurveShape::kLine;
  bool rising = false;  // h' > 0 all over low_N .. high_N: else the shape is out of the question
  std::size_t parameters = 0;  // that are not held at zero
  double rss = 0;              // counts^2, of all readings
  double holdout = 0;          // of the means of presses left out, one by one, where others reach
  std::vector<double> coefficients;          // of powers of F in N; empty for kMonotone
  std::vector<double> u_coefficients;        // standard, presses alike; neighbours counted once
  std::vector<std::array<double, 2>> knots;  // force_N, counts; straight lines between them do
};

struct TactelCurves {
  std::array<CurveFit, kCurveShapes.size()> fits;
  double low_N = 0, high_N = 0;
  double readings = 0;
  double effective = 0;  // readings, less what neighbours share
  double held_out = 0;   // readings behind CurveFit::holdout; 0: fewer than two presses
};

/// Empty with fewer than a dozen means to tell a curve from a line.
std::optional<TactelCurves> fit_curves(const CurveData& data);

/// Above all forces at which the presses' readings are not yet clear of the offset by
/// `clear_counts`.
double lowest_clear_N(std::span<const ResponsePress> presses, double high_N, double clear_counts);

/// Samples [low_N, high_N] of presses as means; `scale` of each press from its rise against that of
/// all presses together.
CurveData curve_data(std::span<const ResponsePress> presses, double low_N, double high_N);

}  // namespace tactelier
