#pragma once
// Readings that rise in a way no formula here describes (docs/theory/response.md 4):
//   c = c0 + sum b_m I_m(F) ,   b_m >= 0      F in N, c in counts
// with I-splines of order 3 (ispline.hpp) and inner knots at the quartiles of the forces. The model
// file holds it as points with straight lines between them.

#include "libcalib/models/response/response_law.hpp"

namespace tactelier {

class MonotoneLaw : public ResponseLaw {
 public:
  std::string_view name() const override { return "monotone"; }
  std::unique_ptr<ResponseBasis> basis(const ForceRange& range, double) const override;
  /// Between the knots; the ends' counts outside, 0 without knots.
  double counts(const ResponseSlots& terms, double force_N) const override;
};

/// Forces that curves are sampled at: kCurveKnots, equally far from each other.
constexpr int kCurveKnots = 25;
inline double curve_knot_N(const ForceRange& range, int knot) {
  return range.low_N + (range.high_N - range.low_N) * knot / (kCurveKnots - 1);
}

}  // namespace tactelier
