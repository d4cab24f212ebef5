#pragma once
// The latency of the stage's stamps against force in one session. On the pad a delay of the stage
// can't be told from damping, so it comes from plate presses, which are elastic: between loading
// and unloading, travel at equal force differs by
//   gap = 2 v latency - play
// which plate presses at two speeds separate.

#include "fitting/recording/fit_context.hpp"
#include "fitting/statistics/identified.hpp"

namespace tactelier {

struct PlateGap {
  double speed_m_per_s = 0;  // median, both ways
  double gap_m = 0;          // travel while unloading less travel while loading, at equal force
};

struct StageLatency {
  std::optional<Estimate> latency_s;  // positive when the stage is late
  double play_m = 0;
  std::string refusal;
};

/// Least squares of gap on speed. Refuses with TA-06 with fewer than four presses or speeds less
/// than a factor 2 apart.
StageLatency latency_from_gaps(std::span<const PlateGap> gaps);

/// Empty where the press doesn't load and unload.
std::optional<PlateGap> plate_gap(std::span<const double> time_s, std::span<const double> travel_m,
                                  std::span<const double> force_N);

/// Fails only for damage and cancellation.
Result<StageLatency> find_stage_latency(const FitContext& context, std::size_t session);

}  // namespace tactelier
