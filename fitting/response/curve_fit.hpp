#pragma once
// Curves instead of a line, for tactels whose readings bend over the force
// (docs/theory/response.md 4): all laws of libcalib/models/response on the same means of the same
// readings between dead zone and ceiling, so that they can be compared.

#include <Eigen/Core>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "fitting/response/affine_fit.hpp"
#include "libcalib/models/response/response_law.hpp"

namespace tactelier {

/// Readings of one press over a stretch of force, brought to means of equally wide intervals.
struct CurvePress {
  std::vector<double> force_N, counts;  // means, force ascending; counts as read
  std::vector<double> weight;           // readings in each
  double scale = 1;                     // the counts' rise as read, of that in `counts`
  double scatter = 0;                   // sum of squares of readings about the means
};

/// Between two forces; each press's readings divided by `scale` of the rise above `offset_counts`,
/// so that presses that differ as a whole don't hide how the curve bends.
struct CurveData {
  double low_N = 0, high_N = 0;
  double offset_counts = 0;
  std::vector<CurvePress> presses;
  double u_reading_counts = 0;   // of one reading, by the converter's step
  bool static_readings = false;  // each under a load of its own, at rest

  ForceRange range() const;
  std::size_t loads() const;  // of the press with most
  /// What is left out in turn to test a curve: each press. Of one round of loads at rest, which all
  /// tell something of their own, each load, or every tenth; of one ramp nothing.
  std::vector<CurvePress> parts() const;
};

struct CurveFit {
  const ResponseLaw* law = nullptr;
  bool rising = false;  // h' > 0 all over low_N .. high_N: else the law is out of the question
  std::size_t functions = 0;   // of its basis
  std::size_t parameters = 0;  // that are not held at zero
  double rss = 0;              // counts^2, of all readings
  double holdout = 0;          // of the means of parts left out, one by one, where others reach
  ResponseSlots terms;         // what the model file keeps
  std::vector<std::array<double, 2>> knots;  // force_N, counts, kCurveKnots from low_N to high_N

  Eigen::VectorXd weights;  // of the basis
  double shape = 0;         // of laws that have one
  // Of the weights and, last, of a shape; those held at zero have none. Presses alike, neighbouring
  // readings counted once.
  Eigen::MatrixXd covariance;
  Eigen::MatrixXd to_coefficients;  // from those to terms.coefficients; empty where there are none
};

struct TactelCurves {
  std::vector<CurveFit> fits;  // in the order of response_laws()
  CurveData data;              // that they were fitted to
  double readings = 0;
  double effective = 0;  // readings, less what neighbours share
  double least_rss = 0;  // counts^2: what a step or rounding leaves of the truth itself
  double held_out = 0;   // readings behind CurveFit::holdout; 0: fewer than two parts()

  /// The one of most functions: what is left of its residuals is hardly the form's.
  const CurveFit& most_flexible() const;
};

constexpr std::size_t kCurveLoads = 5;  // forces of one press, the least that tell a form
constexpr std::size_t kMaxFolds = 10;   // parts left out
constexpr std::size_t kRoundLoads = 8;  // of one round, so many that each can be left out

/// Empty with fewer than kCurveLoads means to tell a curve from a line. `rest_counts`: the reading
/// at rest, where it is known and curves begin.
std::optional<TactelCurves> fit_curves(CurveData data, std::optional<double> rest_counts = {});

/// Above all forces at which the presses' readings are not yet clear of the offset by
/// `clear_counts`.
double lowest_clear_N(std::span<const ResponsePress> presses, double high_N, double clear_counts);

/// Samples [low_N, high_N] of presses as means; `scale` of each press from its rise against that of
/// all presses together.
CurveData curve_data(std::span<const ResponsePress> presses, double low_N, double high_N);

}  // namespace tactelier
