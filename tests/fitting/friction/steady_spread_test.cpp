// Runs that differ as a whole: by how much, beyond what the readings of each say.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fitting/friction/steady_slides.hpp"

namespace tactelier {
namespace {

/// Eight speeds, two runs each, one larger and one smaller by `share`; 2 N of load.
std::vector<SlidePoint> pairs(double share, double u_N) {
  std::vector<SlidePoint> points;
  for (const double v : {0.3e-3, 0.6e-3, 1e-3, 2e-3, 3e-3, 5e-3, 8e-3, 15e-3})
    for (const double sign : {-1.0, 1.0}) {
      const double mu = 0.3 + 0.1 * std::exp(-std::pow(v / 2e-3, 2));
      points.push_back({v, 2 * mu * (1 + sign * share), 2, u_N});
    }
  return points;
}

double spread(const std::vector<SlidePoint>& points) {
  return spread_of_runs(points, fit_sliding(points, SlidingModel::kStribeck).value());
}

TEST(SpreadOfRuns, IsTheShareByWhichTheyDifferPerDegreeOfFreedom) {
  // 16 runs off by 1 %, four numbers fitted.
  EXPECT_NEAR(spread(pairs(0.01, 1e-6)), 0.01 * std::sqrt(16.0 / 12), 1e-4);
}

TEST(SpreadOfRuns, IsNoneWhereTheRunsOwnNoiseExplainsIt) {
  EXPECT_LT(spread(pairs(0, 1e-6)), 1e-6);
  EXPECT_EQ(spread(pairs(0.005, 0.01)), 0);  // u of 1.2 to 1.7 % each
}

}  // namespace
}  // namespace tactelier
