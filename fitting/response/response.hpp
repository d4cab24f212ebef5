#pragma once
// Stage "response": what each tactel reads for a force on its centre
// (docs/theory/response.md 1, 2, 7).

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// Needs context.contacts. Fills model.response, quality["response"], one covariance block per
/// tactel, and in model.presses whether a press was used.
Result<void> run_response(FitContext& context);

}  // namespace tactelier
