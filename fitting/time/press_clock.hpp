#pragma once
// A stream on a clock of its own that carries no arrival times: what it has in common with the
// others are the presses. Each press makes one loaded part in force, readings and travel alike; its
// centre of load hardly depends on gain or saturation. Matching the centres of two streams gives
// the line between their clocks, good to milliseconds; what is left is latency.

#include <optional>
#include <span>
#include <vector>

#include "fitting/recording/fit_context.hpp"
#include "fitting/time/clock_fit.hpp"

namespace tactelier {

/// Gathers a load over time (any unit, rising with it) in cells of 20 ms and finds where it stays
/// above a quarter of its range.
class LoadedParts {
 public:
  void add(double time_s, double load);
  /// Centre of load of each part that lasts 60 ms or longer, rising.
  std::vector<double> centres_s() const;

 private:
  struct Cell {
    double time_s = 0, load = 0, n = 0;
  };
  std::vector<Cell> cells_;
};

/// Centres of a whole stream, in its own stamps: compression, sum of the readings, or travel.
/// Fails for damage and cancellation.
Result<std::vector<double>> loaded_centres_s(const FitContext& context, std::size_t session,
                                             StreamKind kind);

/// The line host = offset + (1 + skew) device through centres that belong together: both may lack
/// some, and clocks may differ by 3000 ppm and start anywhere. Empty with fewer than 3 pairs, or
/// when fewer than half of the shorter list find a partner.
std::optional<ClockFit> clock_from_presses(std::span<const double> host_s,
                                           std::span<const double> device_s);

}  // namespace tactelier
