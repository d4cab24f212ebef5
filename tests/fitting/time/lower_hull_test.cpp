// Truth: oracles/03_time.json (edge of the hull and a linear program agree there).
#include "fitting/time/lower_hull.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

TEST(LowerHull, MatchesTheOraclesEdgeAndLinearProgram) {
  const auto clock = oracle::json("03_time.json")["clock"];
  const auto columns = oracle::csv("03_arrivals.csv");
  LowerHull hull;
  for (std::size_t i = 0; i < columns.at("seq").size(); ++i)
    hull.add(columns.at("seq")[i], columns.at("arrival_s")[i]);
  const auto line = hull.line();
  ASSERT_TRUE(line);
  EXPECT_EQ(line->first, clock["edge"][0].get<std::size_t>());
  EXPECT_EQ(line->last, clock["edge"][1].get<std::size_t>());
  for (const auto* way : {"expected_hull", "expected_lp"}) {
    EXPECT_NEAR(line->intercept(), clock[way]["alpha_s"].get<double>(), 1e-9) << way;
    EXPECT_NEAR(line->slope, clock[way]["period_s"].get<double>(), 1e-12) << way;
  }
  EXPECT_NEAR(line->mean_x, clock["mean_seq"].get<double>(), 1e-9);
  // The truth, transport included, lies within the boundary estimate's own uncertainty.
  const auto truth = clock["truth"];
  const double seen = truth["alpha_s"].get<double>() + truth["min_delay_s"].get<double>() +
                      truth["period_s"].get<double>() * line->mean_x;
  EXPECT_LT(std::abs(line->height - seen), 2 * line->u_height());
  EXPECT_LT(line->u_height(), 2e-5);
  EXPECT_LT(std::abs(line->slope - truth["period_s"].get<double>()), 2 * line->u_slope());
}

TEST(LowerHull, KeepsMicrosecondsOfEpochSeconds) {
  LowerHull hull;
  for (int i = 0; i < 1000; ++i)
    hull.add(1.7e9 + 0.01 * i, 1.7e9 + 5 + 0.010001 * i + (i % 10 == 0 ? 0 : 1e-3));
  const auto line = hull.line();
  ASSERT_TRUE(line);
  EXPECT_NEAR(line->slope, 1.0001, 1e-7);  // a double of epoch seconds ends at 0.24 us
  EXPECT_NEAR(line->at(1.7e9) - 1.7e9, 5, 1e-6);
}

TEST(LowerHull, NeedsTwoMoments) {
  LowerHull hull;
  EXPECT_FALSE(hull.line());
  hull.add(1, 2);
  hull.add(1, 1);
  EXPECT_FALSE(hull.line());
  hull.add(2, 3);
  ASSERT_TRUE(hull.line());
  EXPECT_EQ(hull.line()->at(1), 1);  // the lower of the two at x = 1
}

}  // namespace
}  // namespace tactelier
