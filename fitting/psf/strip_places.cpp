#include "fitting/psf/strip_places.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier {
namespace {

constexpr double kOneRow = 0.01;  // pitches between tactels that lie in one row
constexpr double kBeside = 0.2;   // pitches r.m.s. between presses that show how readings fall

}  // namespace

std::array<bool, 2> across_strip(const SensorDescription& sensor, const PsfProblem& problem) {
  const double pitch_m = problem.layout.pitch_m();
  std::array<bool, 2> across{};
  for (std::size_t axis = 0; axis < across.size(); ++axis) {
    double low_m = sensor.position_m(0)[axis], high_m = low_m;
    for (int t = 1; t < sensor.tactels(); ++t) {
      low_m = std::min(low_m, sensor.position_m(t)[axis]);
      high_m = std::max(high_m, sensor.position_m(t)[axis]);
    }
    double n = 0, sum_m = 0, squares_m2 = 0;
    for (const auto& press : problem.presses) {
      const double at_m = axis == 0 ? press.x_m : press.y_m;
      ++n;
      sum_m += at_m;
      squares_m2 += at_m * at_m;
    }
    const double variance_m2 = n > 0 ? squares_m2 / n - std::pow(sum_m / n, 2) : 0;
    across.at(axis) =
        high_m - low_m < kOneRow * pitch_m && variance_m2 < std::pow(kBeside * pitch_m, 2);
  }
  return across;
}

}  // namespace tactelier
