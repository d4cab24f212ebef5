#pragma once
// The latency of the tactile stream against force in one session, from its presses.

#include "fitting/recording/fit_context.hpp"
#include "fitting/time/latency.hpp"

namespace tactelier {

struct SessionLatency {
  std::optional<LatencyOverRates> found;
  std::string refusal;  // code and words when not found
  std::size_t samples = 0;
  double r_min = 1;                  // weakest correlation that was used
  std::optional<double> apparent_s;  // median lag of the presses, hysteresis included
  /// Hysteresis delays, too: the latency is no larger than what presses show (95 %).
  std::optional<double> limit_s;
};

/// context.clocks[session] must place both streams; a latency in them is not looked at twice.
/// Fails only for damage and cancellation.
Result<SessionLatency> find_tactile_latency(const FitContext& context, std::size_t session);

}  // namespace tactelier
