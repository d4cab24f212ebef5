#pragma once
// The presses of all sessions as the whole array sees them.

#include <vector>

#include "fitting/array/array_law.hpp"
#include "fitting/array/press_figures.hpp"
#include "fitting/recording/fit_context.hpp"

namespace tactelier {

struct ArrayPresses {
  std::vector<ArrayPress> rows;
  struct Figured {
    std::size_t row = 0;  // of model.presses, by which a table of rounds comes more than once
    PressFigures figures;
  };
  std::vector<Figured> figures;
};

/// Bias taken out where free air told it; rows at most some ten thousand rows altogether, evenly
/// spread over each press. Readings as the fit sees them: load raises them. One table of readings
/// at rest with several rounds of loads is a press for each.
Result<ArrayPresses> load_array_presses(const FitContext& context);

}  // namespace tactelier
