#pragma once
// What one press says of the array as a whole: its sum against force, what the cycle loses, creep
// in its hold, and its image where the force is largest (docs/theory/response.md 14).

#include <optional>
#include <span>
#include <vector>

#include "fitting/recording/press_data.hpp"
#include "fitting/statistics/identified.hpp"

namespace tactelier {

struct SumLine {
  double gain_N_per_count = 0;
  double threshold_N = 0;  // force at which the sum leaves rest
  double bend = 0;         // largest systematic distance from the line, share of the sum's range
};

struct PressFigures {
  std::optional<SumLine> sum;
  std::optional<double> loss;     // of the work done while loading
  std::optional<double> loop;     // between both ways of sum against force, of that below loading
  std::optional<Estimate> creep;  // of the sum over force, share per decade
  std::vector<double> image;      // counts above rest; empty: rest is not known
};

/// `data` with all tactels and a force, bias taken out; travel as the tip's, or empty. `offsets`:
/// readings at rest where the rows don't show them, NaN where nobody knows. A hold is given by its
/// begin and end.
PressFigures press_figures(const PressData& data, double sigma_force_N,
                           std::span<const double> offsets, std::optional<TimeRange> hold);

}  // namespace tactelier
