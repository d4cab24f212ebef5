#pragma once
// Where nothing was held, or what was held can't tell how the pad relaxes: how far below the
// stiffness of the presses that at rest may lie (docs/theory/damping-and-relaxation.md 8).

#include <cstddef>
#include <optional>

#include "fitting/recording/fit_context.hpp"
#include "fitting/statistics/identified.hpp"

namespace tactelier {

struct UnknownRelaxation {
  double bound = 0;                    // of the stiffness of presses, 0 to 1
  double press_s = 0;                  // from first touch to peak, median
  std::optional<Estimate> per_decade;  // as loops show it (loss_per_decade.hpp)
};

/// Of what presses of a second or so show, by their loops' loss per decade where those show it.
double relaxation_bound(const std::optional<Estimate>& per_decade);

/// Empty where no stiffness was read while the stage moved. Fails only for damage and cancellation.
Result<std::optional<UnknownRelaxation>> bound_relaxation(const FitContext& context);

}  // namespace tactelier
