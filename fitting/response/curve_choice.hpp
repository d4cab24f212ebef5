#pragma once
// Line or curve: one law for the whole array, since one paint of tactels bends alike. Chosen by
// AICc, BIC and presses left out (docs/theory/response.md 4; docs/theory/statistics.md 4).

#include "fitting/response/curve_uncertainty.hpp"
#include "fitting/response/response_tactel.hpp"
#include "libcalib/models/response/response_laws.hpp"

namespace tactelier {

constexpr double kCurveReadings =
    10;  // that tell something of their own: two rounds of five weights

struct CurveChoice {
  std::size_t index = 0;  // into response_laws(); 0: the line
  bool untested = false;  // a curve has the better BIC, but no tactel has a second press to test it
  bool one_round = true;  // tested by loads left out: no tactel has a second press or round
  std::size_t tactels = 0;                    // that could be compared; 0: no choice
  std::vector<double> delta_bic, delta_aicc;  // of all laws, against the line
  std::vector<double> holdout;                // rms against the line's; 0: not tested

  const ResponseLaw& law() const { return *response_laws()[index]; }
};

/// A curve takes the line's place when it has the better BIC, an AICc better by 2, predicts presses
/// (of one round of weights: loads) left out clearly better, and its worst tactel still rises.
CurveChoice choose_curve(std::span<const TactelFit> fits);

/// Writes knots or coefficients of the chosen curve, and how far forces read off it may be off.
void write_curve(const TactelFit& fit, const CurveChoice& choice, const CurveSettings& settings,
                 TactelResponse& response);

}  // namespace tactelier
