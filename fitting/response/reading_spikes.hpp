#pragma once
// Single wild readings: a converter's glitch, a bit lost on a cable (docs/theory/response.md 6).

#include <span>
#include <vector>

#include "fitting/response/affine_fit.hpp"

namespace tactelier {

/// Takes out of `presses` what lies eight robust deviations and more off the median of its three
/// neighbours on either side, as residuals of the fitted line (Tukey's weight is 0 from 4.7 on).
/// Longer stretches are the model's failure, not outliers, and so is more than a tenth of all: then
/// nothing is taken out. Returns how many.
int remove_spikes(std::vector<ResponsePress>& presses, const AffineFit& fit,
                  const AffineSettings& settings);

/// Readings to which Huber's loss would give less than half of their weight.
int downweighted(std::span<const ResponsePress> presses, const AffineFit& fit,
                 const AffineSettings& settings);

}  // namespace tactelier
