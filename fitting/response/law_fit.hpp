#pragma once
// One law of libcalib/models/response through the means of a tactel's presses: weights by linear
// least squares, inside a search for the law's shape where it has one (variable projection).

#include <optional>

#include "fitting/response/curve_fit.hpp"

namespace tactelier {

/// Over the forces of the data.
ForceRange range_of(const CurveData& data);

/// With the presses left out one by one. `rest_counts`: the reading at rest, where it is known and
/// curves begin. Empty where the means do not determine the law.
std::optional<CurveFit> fit_law(const CurveData& data, const ForceRange& range,
                                const ResponseLaw& law, std::optional<double> rest_counts);

}  // namespace tactelier
