#pragma once
// Presses at several speeds and chirps, as means over short segments.

#include <optional>
#include <string>
#include <vector>

#include "fitting/damping/damping_fit.hpp"
#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// What the indenter did at a place: depth is linear between rows, and 0 before `begin_s`.
struct DepthPath {
  double begin_s = 0;
  std::vector<double> time_s;
  std::vector<double> depth_m;
};

/// Rows of a path over which a RateRow is the mean.
struct PathRows {
  std::size_t first = 0;
  std::size_t end = 0;
};

struct RatePress {
  std::size_t session = 0;  // index into the context's
  std::size_t press = 0;    // index into its presses
  std::string where;
  std::optional<int> tactel;
  bool chirp = false;
  double speed_m_per_s = 0;  // median while loading; of a chirp the largest
  double peak_N = 0;
  double top_m = 0;  // greatest depth
  double white_N = 0;
  std::vector<RateRow> rows;
  DepthPath path;               // of presses before at this place too, where relaxation is known
  std::vector<PathRows> means;  // of path, by row
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
