#include "app/workflow/catalogue/fleet_statistics.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tactelier {
namespace {

std::vector<FleetValue> on_days(const std::vector<double>& days,
                                const std::vector<double>& values) {
  std::vector<FleetValue> all;
  for (std::size_t i = 0; i < days.size(); ++i) all.push_back({values[i], {}, days[i]});
  return all;
}

TEST(FleetStatistics, ASpreadIsThatOfTheMiddleHalfAndForgetsAWildSensor) {
  // Median of 1 2 3 4 5 6 7 8 900 is 5; deviations 4 3 2 1 0 1 2 3 895, their median 2.
  const auto spread = fleet_spread(std::vector<double>{8, 1, 7, 2, 900, 6, 3, 5, 4});
  EXPECT_DOUBLE_EQ(spread.median, 5);
  EXPECT_NEAR(spread.sigma, 1.4826 * 2, 1e-3);
  EXPECT_NEAR(spread.low, 5 - 3 * 1.4826 * 2, 5e-3);
  EXPECT_NEAR(spread.high, 5 + 3 * 1.4826 * 2, 5e-3);
}

TEST(FleetStatistics, TheLimitForOutliersIsSidaksOfStudentsT) {
  // t with 9 degrees of freedom at 1/2 + 0.95^(1/10)/2, by Simpson's rule over its density.
  EXPECT_NEAR(outlier_sigmas(10), 3.674848474, 1e-6);
  EXPECT_GT(outlier_sigmas(1000), outlier_sigmas(100));
}

TEST(FleetStatistics, ABadlyKnownNumberIsNoOutlier) {
  const FleetSpread fleet{100, 2, 94, 106};
  EXPECT_DOUBLE_EQ(oddness({120, {}, {}}, fleet), 10);
  EXPECT_DOUBLE_EQ(oddness({120, 1.0, {}}, fleet), 10);
  EXPECT_DOUBLE_EQ(oddness({120, 20.0, {}}, fleet), 1);
  EXPECT_DOUBLE_EQ(oddness({120, {}, {}}, FleetSpread{}), 0);
}

TEST(FleetStatistics, ADriftIsTheilAndSensSlopeWithMannAndKendallsTest) {
  // S = 28 of 28 pairs, variance 8*7*21/18: z = 27/sqrt(65.33), p = erfc(z/sqrt 2).
  const auto drift =
      fleet_drift(on_days({0, 1, 2, 3, 4, 5, 6, 7}, {10, 12, 14, 16, 18, 20, 22, 24}));
  ASSERT_TRUE(drift);
  EXPECT_DOUBLE_EQ(drift->per_day, 2);
  EXPECT_DOUBLE_EQ(drift->change, 14);
  EXPECT_NEAR(drift->p, 0.0008366271311193047, 1e-9);
}

TEST(FleetStatistics, SensorsOfOneDayAndEqualNumbersCountAsTies) {
  // The variance of S, 60.47619, is that over all 40320 permutations of the values.
  const auto drift = fleet_drift(on_days({0, 0, 1, 1, 2, 2, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 7}));
  ASSERT_TRUE(drift);
  EXPECT_NEAR(drift->p, 0.0031007029171245533, 1e-9);
}

TEST(FleetStatistics, FewSensorsOrOneDayHaveNoDrift) {
  EXPECT_FALSE(fleet_drift(on_days({0, 1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6, 7})));
  EXPECT_FALSE(fleet_drift(on_days({3, 3, 3, 3, 3, 3, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8})));
  auto undated = on_days({0, 1, 2, 3, 4, 5, 6, 7}, {1, 2, 3, 4, 5, 6, 7, 8});
  undated[0].day.reset();
  EXPECT_FALSE(fleet_drift(undated));
}

TEST(FleetStatistics, OneWildSensorMakesNoDrift) {
  const auto drift =
      fleet_drift(on_days({0, 1, 2, 3, 4, 5, 6, 7}, {10, 11, 10, 11, 10, 11, 10, 900}));
  ASSERT_TRUE(drift);
  EXPECT_GT(drift->p, 0.05);
  EXPECT_LT(drift->per_day, 1);
}

TEST(FleetStatistics, AHistogramCountsEveryValueOnceAndTheGreatestInItsLastStep) {
  // 16 values: 8 steps of (15 - -1) / 8 = 2.
  const std::vector<double> values{-1, 0.9, 1, 3, 3, 3, 4.9, 5, 7, 7, 7, 9, 11, 13, 14.9, 15};
  const auto histogram = fleet_histogram(values);
  EXPECT_EQ(histogram.least, -1);
  EXPECT_EQ(histogram.width, 2);
  EXPECT_EQ(histogram.counts, (std::vector<std::size_t>{2, 1, 4, 1, 3, 1, 1, 3}));
  const std::vector<double> alike(5, 2.5);
  EXPECT_EQ(fleet_histogram(alike).counts, std::vector<std::size_t>{5});
  EXPECT_TRUE(fleet_histogram({}).counts.empty());
}

}  // namespace
}  // namespace tactelier
