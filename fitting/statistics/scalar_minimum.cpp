#include "fitting/statistics/scalar_minimum.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier {
namespace {

constexpr double kGolden = 0.3819660112501051;  // (3 - sqrt 5) / 2

struct Points {
  ScalarMinimum best, second, third;

  void take(const ScalarMinimum& trial) {
    if (trial.value <= best.value) {
      third = second;
      second = best;
      best = trial;
    } else if (trial.value <= second.value || second.x == best.x) {
      third = second;
      second = trial;
    } else if (trial.value <= third.value || third.x == best.x || third.x == second.x) {
      third = trial;
    }
  }

  /// Step from best.x to the vertex of the parabola through the three; NaN when they lie on a line.
  double parabola_step() const {
    const double r = (best.x - second.x) * (best.value - third.value);
    const double q = (best.x - third.x) * (best.value - second.value);
    const double denominator = 2 * (q - r);
    return -((best.x - third.x) * q - (best.x - second.x) * r) / denominator;
  }
};

}  // namespace

ScalarMinimum minimize_bounded(const std::function<double(double)>& f, double low, double high,
                               double tolerance) {
  const double start = low + kGolden * (high - low);
  const ScalarMinimum first{start, f(start)};
  Points points{first, first, first};
  double step = 0;
  double before = 0;
  for (int i = 0; i < 200; ++i) {
    const double x = points.best.x;
    const double middle = 0.5 * (low + high);
    if (high - low <= tolerance) break;
    double next = points.parabola_step();
    const bool usable = std::isfinite(next) && std::abs(next) < 0.5 * std::abs(before) &&
                        x + next > low && x + next < high;
    before = usable ? step : (x < middle ? high - x : low - x);
    if (!usable) next = kGolden * before;
    const double least = 0.25 * tolerance;
    if (std::abs(next) < least) next = x < middle ? least : -least;
    step = next;
    const ScalarMinimum trial{x + step, f(x + step)};
    if (trial.value <= points.best.value)
      (trial.x >= x ? low : high) = x;
    else
      (trial.x < x ? low : high) = trial.x;
    points.take(trial);
  }
  return points.best;
}

ScalarMinimum minimize_on_grid(const std::function<double(double)>& f, double low, double high,
                               int points, double tolerance) {
  const double spacing = (high - low) / (points - 1);
  ScalarMinimum best{low, f(low)};
  for (int i = 1; i < points; ++i) {
    const double x = low + i * spacing;
    if (const double value = f(x); value < best.value) best = {x, value};
  }
  const auto refined = minimize_bounded(f, std::max(low, best.x - spacing),
                                        std::min(high, best.x + spacing), tolerance);
  return refined.value <= best.value ? refined : best;
}

}  // namespace tactelier
