#pragma once
// How late the tactile stream is against force (docs/theory/clocks.md 4), on plain arrays.

#include <span>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier {

struct TimedSignal {
  std::vector<double> time_s;
  std::vector<double> value;
};

constexpr double kLatencyScan_s = 0.050;
constexpr double kLatencyReach_s = 0.020;  // of the least squares around its start

/// Mean over `width` samples (made odd) around each one, narrower at the ends: no phase.
TimedSignal smoothed(const TimedSignal& signal, std::size_t width);

/// Which samples of a press pair force and counts: force above twice the trigger, counts below
/// saturation.
struct LatencyMask {
  double min_force_N = 0;
  double max_counts = 1e300;
  double max_gap_s = 1e300;  // of force: nothing is interpolated across
};

struct CorrelationLag {
  double grid_s = 0;  // best of the scan, in steps of 1 ms or 1/250 of it
  double lag_s = 0;   // by the parabola through the best three
  double r_max = 0;   // Pearson's
};

/// Shifts force by up to `scan_s` either way against counts. Fails with kUnidentifiable: TA-04
/// below r = 0.95, TA-05 with the maximum at an edge, TA-07 without samples that move.
Result<CorrelationLag> correlate(const TimedSignal& force, const TimedSignal& counts,
                                 const LatencyMask& mask, double scan_s = kLatencyScan_s);

struct LatencyFit {
  double lag_s = 0;
  double u_lag_s = 0;       // from the residuals, widened where they follow one another
  double rate_N_per_s = 0;  // sum of dF/dt squared over sum of |dF/dt|: what hysteresis is seen at
  double rms_counts = 0;
  double intercept = 0, slope = 0;  // of the straight line, counts and counts/N
  std::size_t samples = 0;
};

/// counts(t) = h(force(t - lag)), h a polynomial of degree 1 .. 3, the lag within `reach_s` of
/// `start_s`; the mask is taken at the start. `force` is smoothed over one or two tactile periods,
/// else its noise biases the lag. With `both_ways` at least five samples must rise and five fall,
/// since a delay of a steady ramp is but another intercept.
Result<LatencyFit> fit_latency(const TimedSignal& force, const TimedSignal& counts,
                               const LatencyMask& mask, double start_s, int degree, bool both_ways,
                               double reach_s = kLatencyReach_s);

/// One press's apparent delay.
struct PressLag {
  double lag_s = 0;
  double u_lag_s = 0;
  double rate_N_per_s = 0;
  double swing_N = 0;         // with which force swings about its course, noise and all
  double course_N_per_s = 0;  // as rate_N_per_s, of the course alone
};

/// lag = latency + hysteresis / rate: rate-independent hysteresis looks like a delay that falls
/// with speed. Fitted as lag rate = latency rate + hysteresis, where presses scatter evenly.
struct LatencyOverRates {
  double latency_s = 0, u_latency_s = 0;
  double hysteresis_N = 0, u_hysteresis_N = 0;  // half of it
  double scatter_N = 0;                         // between presses, beyond u_lag
  double dof = 0;
  double slowest = 0, fastest = 0;  // rates
};
/// Fails with kUnidentifiable (TA-06) with fewer than four presses, rates less than a factor 4
/// apart, or a hysteresis that would have to be negative.
Result<LatencyOverRates> combine_lags(std::span<const PressLag> presses);

}  // namespace tactelier
