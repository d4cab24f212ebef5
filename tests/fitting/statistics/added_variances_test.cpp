#include "fitting/statistics/added_variances.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "fitting/statistics/quantiles.hpp"

namespace tactelier {
namespace {

TEST(AddedVariances, OneOfNothingTakesNoPart) {
  EXPECT_EQ(dof_of_added(2.0, 3, 0.0, 1), 3);
  EXPECT_EQ(dof_of_added(0.0, 1, 2.0, 7), 7);
  EXPECT_EQ(dof_of_added(1.0, kManyDegrees, 1.0, kManyDegrees), kManyDegrees);
}

TEST(AddedVariances, IntervalsOfBothAddInQuadrature) {
  const double dof = dof_of_added(1.0, 2, 4.0, kManyDegrees);
  const double wanted = std::hypot(coverage_95(2), 2 * coverage_95(kManyDegrees));
  EXPECT_NEAR(coverage_95(dof) * std::sqrt(5.0), wanted, 1e-6 * wanted);
}

/// Of a mean of three repeats, whose scatter is estimated from them, and a part that is known.
/// Those that show little scatter by chance are the ones that Welch and Satterthwaite get wrong.
TEST(AddedVariances, IntervalsHoldWhereThreeRepeatsHappenToAgree) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  for (const double known : {0.1, 0.3, 1.0, 3.0}) {
    int agree = 0, held = 0, all_held = 0;
    constexpr int kDraws = 1500;
    for (int i = 0; i < kDraws; ++i) {
      const double x = normal(random), y = normal(random);
      const double scatter = (x * x + y * y) / 2;  // of 2 degrees of freedom, 1 on average
      const double error = std::hypot(1.0, known) * normal(random);
      const double dof = dof_of_added(scatter, 2, known * known, kManyDegrees);
      const bool holds = std::abs(error) < coverage_95(dof) * std::sqrt(scatter + known * known);
      all_held += holds;
      if (scatter > 0.5) continue;
      ++agree;
      held += holds;
    }
    EXPECT_GT(all_held, 0.93 * kDraws) << known;
    EXPECT_LT(all_held, 0.99 * kDraws) << known;
    EXPECT_GT(held, 0.84 * agree) << known;
  }
}

}  // namespace
}  // namespace tactelier
