#pragma once
// Bounded minimum of a function of one variable: for profiles, where all other parameters are
// solved exactly inside (variable projection).

#include <functional>

namespace tactelier {

struct ScalarMinimum {
  double x = 0;
  double value = 0;
};

/// Brent's method (golden section with parabolic steps) between low and high until the bracket is
/// narrower than `tolerance`. Finds one local minimum: bracket it by a grid first.
ScalarMinimum minimize_bounded(const std::function<double(double)>& f, double low, double high,
                               double tolerance);

/// Best of `points` equally spaced values in [low, high], refined between its neighbours.
ScalarMinimum minimize_on_grid(const std::function<double(double)>& f, double low, double high,
                               int points, double tolerance);

}  // namespace tactelier
