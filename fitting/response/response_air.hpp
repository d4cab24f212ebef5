#pragma once
// Offsets and noise of all tactels at once: stretches of the recordings in which nothing touches.

#include <cstddef>
#include <set>
#include <vector>

#include "fitting/recording/fit_context.hpp"
#include "fitting/response/response_press.hpp"

namespace tactelier {

struct BaselineSurvey {
  std::vector<std::vector<BaselineWindow>> windows;  // by tactel
  std::set<std::size_t> presses;  // rows of context.contacts whose beginnings are in
};

/// `zero` intervals and the beginnings of presses where those are short; of tables whose rows are
/// readings at rest the rows that their map calls rest, and those at zero force; at last the number
/// that a map states.
Result<BaselineSurvey> survey_baseline(const FitContext& context);

}  // namespace tactelier
