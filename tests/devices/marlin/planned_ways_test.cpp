#include "devices/marlin/planned_ways.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tactelier::devices {
namespace {

constexpr double kSpeed_m_per_s = 2e-3, kAcceleration = 0.1;

class PlannedWaysTest : public testing::Test {
 protected:
  void go_to(double z_m) { ways_.add({0, 0, z_m}, kSpeed_m_per_s, kAcceleration); }
  /// Plans what is due, and says how far that is.
  double plan(std::int64_t now_ns) {
    double planned_m = 0;
    while (const auto piece = ways_.due()) {
      planned_m += std::abs(piece->to_m[2] - piece->from_m[2]);
      ways_.plan(*piece, now_ns);
    }
    return planned_m;
  }

  PlannedWays ways_;
};

/// By hand: v^2/2a = 20 um, v * 100 ms = 200 um, a piece 100 um.
TEST_F(PlannedWaysTest, PlansABrakingWayATenthOfASecondAndAPiece) {
  go_to(-10e-3);
  const double planned_m = plan(0);
  EXPECT_GT(planned_m, 220e-6);
  EXPECT_LE(planned_m, 320e-6 + 1e-12);
  EXPECT_NEAR(PlannedWays::run_on_m(kSpeed_m_per_s, kAcceleration), 320e-6, 1e-12);
}

TEST_F(PlannedWaysTest, PlansOnAsTheStageGoes) {
  go_to(-10e-3);
  double planned_m = plan(0);
  for (int i = 1; i <= 20; ++i) {
    ways_.see({0, 0, -i * 1e-4}, i * 50'000'000);
    planned_m += plan(i * 50'000'000);
    EXPECT_LE(planned_m - i * 1e-4, 320e-6 + 1e-12);
    EXPECT_GE(planned_m - i * 1e-4, 220e-6);
  }
}

TEST_F(PlannedWaysTest, ForgetsWhatIsNotPlanned) {
  go_to(-10e-3);
  const double planned_m = plan(0);
  ways_.forget_waiting();
  EXPECT_FALSE(ways_.waiting());
  EXPECT_NEAR(ways_.end_m()[2], -planned_m, 1e-12);
}

/// It is at the same place on the way there and on the way back.
TEST_F(PlannedWaysTest, TakesTheWayThereForTheWayBackOnlyWhenThatCanHaveBegun) {
  go_to(-150e-6);
  go_to(0);
  go_to(-10e-3);
  const double planned_m = plan(0);
  EXPECT_LT(planned_m, 330e-6);
  ways_.see({0, 0, -50e-6}, 30'000'000);  // 75 ms there at least
  EXPECT_EQ(plan(30'000'000), 0);
  ways_.see({0, 0, -50e-6}, 130'000'000);
  EXPECT_GT(plan(130'000'000), 0);
}

TEST_F(PlannedWaysTest, ShortWaysAreOnePiece) {
  go_to(-2.5e-6);
  EXPECT_NEAR(plan(0), 2.5e-6, 1e-15);
  EXPECT_FALSE(ways_.waiting());
  EXPECT_TRUE(ways_.planned());
  ways_.see({0, 0, -2.5e-6}, 200'000'000);
  EXPECT_FALSE(ways_.planned());
}

}  // namespace
}  // namespace tactelier::devices
