#pragma once
// Line, polynomial or monotone curve: one form for the whole array, since one paint of tactels
// bends alike. Chosen by AICc, BIC and presses left out (docs/theory/response.md 4;
// docs/theory/statistics.md 4).

#include "fitting/response/response_tactel.hpp"

namespace tactelier {

struct CurveChoice {
  CurveShape shape = CurveShape::kLine;
  bool untested = false;  // a curve has the better BIC, but no tactel has a second press to test it
  std::size_t tactels = 0;  // that could be compared; 0: no choice
  std::array<double, kCurveShapes.size()> delta_bic{}, delta_aicc{};  // against the line
  std::array<double, kCurveShapes.size()> holdout{};  // rms against the line's; 0: not tested

  std::size_t index() const { return static_cast<std::size_t>(shape); }
};

/// A curve takes the line's place when it has the better BIC, an AICc better by 2, predicts presses
/// left out clearly better, and its worst tactel still rises.
CurveChoice choose_curve(std::span<const TactelFit> fits);

/// Writes knots or coefficients of the chosen curve.
void write_curve(const TactelFit& fit, const CurveChoice& choice, TactelResponse& response);

/// "polynomial", "monotone" or "affine", as the model file says it.
std::string_view model_name(CurveShape shape);

}  // namespace tactelier
