#pragma once
// One law of libcalib/models/response through the means of a tactel's presses: weights by linear
// least squares, inside a search for the law's shape where it has one (variable projection).

#include <optional>

#include "fitting/response/curve_fit.hpp"

namespace tactelier {

/// With the presses left out one by one. `rest_counts`: the reading at rest, where it is known and
/// curves begin. Empty where the means do not determine the law.
std::optional<CurveFit> fit_law(const CurveData& data, const ForceRange& range,
                                const ResponseLaw& law, std::optional<double> rest_counts);

/// A fitted law around one force, for whoever asks how far off it may be.
struct CurveSlope {
  double counts = 0;
  double counts_per_N = 0;
  Eigen::RowVectorXd by_weight;  // d counts/d(weights, shape)
};
CurveSlope slope_at(const CurveFit& fit, const ForceRange& range, double force_N);

}  // namespace tactelier
