#include "fitting/recording/sampling_gaps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tactelier {
namespace {

std::vector<double> regular(int rows, double step_s) {
  std::vector<double> time_s;
  for (int i = 0; i < rows; ++i) time_s.push_back(step_s * i);
  return time_s;
}

int gaps_in(const std::vector<double>& time_s, double periods) {
  int gaps = 0;
  for (std::size_t i = 1; i < time_s.size(); ++i) gaps += gap_before(time_s, i, periods) ? 1 : 0;
  return gaps;
}

TEST(SamplingGaps, ARegularClockWithRowsMissingHasAGapWhereTheyAre) {
  auto time_s = regular(100, 0.01);
  time_s.erase(time_s.begin() + 40, time_s.begin() + 60);
  EXPECT_EQ(gaps_in(time_s, 10), 1);
  EXPECT_TRUE(gap_before(time_s, 40, 10));
  EXPECT_NEAR(longest_step(time_s, 10), 0.01, 1e-12);
}

TEST(SamplingGaps, HalfAnHourInLogTimeHasNone) {
  auto time_s = regular(200, 0.01);
  for (int i = 1; i <= 400; ++i) time_s.push_back(1.99 + 0.01 * std::pow(1.8e5, i / 400.0));
  EXPECT_EQ(gaps_in(time_s, 10), 0);
  EXPECT_EQ(gaps_in(time_s, 2.5), 0);
  EXPECT_GT(longest_step(time_s, 2.5), 50);
}

TEST(SamplingGaps, AClockThatSlowsDownHasNone) {
  auto time_s = regular(100, 0.01);
  for (int i = 1; i <= 20; ++i) time_s.push_back(0.99 + i);
  EXPECT_EQ(gaps_in(time_s, 10), 0);
}

TEST(SamplingGaps, NearTheEndsTheOneSideThatIsThereDecides) {
  EXPECT_EQ(gaps_in({0, 5, 5.01, 5.02, 5.03}, 10), 1);
  EXPECT_EQ(gaps_in({0, 0.01, 0.02, 0.03, 5}, 10), 1);
  EXPECT_EQ(gaps_in({0, 5}, 10), 0);
  EXPECT_EQ(longest_step(std::vector<double>{1}, 10), 0);
}

}  // namespace
}  // namespace tactelier
