#pragma once
// Presses at several speeds and chirps, as means over short stretches.

#include <optional>
#include <string>
#include <vector>

#include "fitting/damping/damping_fit.hpp"
#include "fitting/stage.hpp"

namespace tactelier {

struct RatePress {
  std::string where;
  std::optional<int> tactel;
  bool chirp = false;
  double speed_m_per_s = 0;  // median on the way in; of a chirp the largest
  double peak_N = 0;
  double top_m = 0;  // greatest depth
  double white_N = 0;
  std::vector<RateRow> rows;
  std::string refusal;
};

struct RateData {
  std::vector<RatePress> presses;
  double stage_period_s = 0;  // slowest of the sessions; 0: no stage recorded
  std::string indenter;
};

/// Presses of kind "speed" and "chirp" with one indenter, the one of most. Fails only for damage
/// and cancellation.
Result<RateData> load_rates(const FitContext& context);

}  // namespace tactelier
