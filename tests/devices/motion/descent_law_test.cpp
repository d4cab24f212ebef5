// Any ground under a descent at whose pieces' ends nobody is.

#include "devices/motion/descent_law.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tactelier::rig {
namespace {

constexpr double kCeiling_N = 25, kEnd_N = 15;

DescentGoal plate_goal() {
  DescentGoal goal;
  goal.to_z_m = -1e-3;
  goal.speed_m_per_s = 0.1e-3;
  goal.touch = Touch::kPlate;
  goal.ceiling_N = kCeiling_N;
  return goal;
}

struct Ground {
  double stiffness_N_per_m = 0, top_m = 0;
  double force_N(double z_m) const { return stiffness_N_per_m * std::max(0.0, top_m - z_m); }
};

struct Pressed {
  double most_N = 0;
  int pieces = 0;
  bool refused = false;
};

/// A whole press: every piece is gone to its end, and the force is looked at there alone.
Pressed press(DescentLaw& law, const Ground& ground, double from_z_m) {
  const auto goal = plate_goal();
  law.begin_press();
  Pressed pressed;
  double z_m = from_z_m;
  while (pressed.most_N < kEnd_N && z_m > goal.to_z_m && pressed.pieces < 2000) {
    const double force_N = ground.force_N(z_m);
    law.rest(z_m, force_N);
    const auto piece_m = law.piece_m(goal, z_m, force_N);
    pressed.refused = !piece_m;
    if (!piece_m) break;
    for (const double end_m = z_m - *piece_m; z_m > end_m;) {
      z_m = std::max(end_m, z_m - 0.5e-6);
      law.see(z_m, 0, ground.force_N(z_m), 0);
    }
    pressed.most_N = std::max(pressed.most_N, ground.force_N(z_m));
    ++pressed.pieces;
  }
  return pressed;
}

class OnPlate : public testing::TestWithParam<double> {};

/// A frame of 0.083 N/um, the one of the simulated plate (5 N/um), twice as stiff.
TEST_P(OnPlate, NoPieceEndsAboveTheCeilingWhereverThePlateBegins) {
  for (double off_m = -50e-6; off_m < 50e-6; off_m += 0.37e-6) {
    DescentLaw law(Touch::kPlate);
    const Ground ground{GetParam(), off_m};
    const auto first = press(law, ground, 0.2e-3);
    ASSERT_LE(first.most_N, kCeiling_N) << off_m * 1e6;
    ASSERT_TRUE(first.most_N >= kEnd_N || (first.refused && GetParam() > 5e6));
    const auto second = press(law, ground, 0.2e-3);
    ASSERT_LE(second.most_N, kCeiling_N) << off_m * 1e6;
    EXPECT_LT(second.pieces, first.pieces);  // it is known by then where it begins
  }
}

INSTANTIATE_TEST_SUITE_P(Stiffness, OnPlate, testing::Values(0.083e6, 1e6, 5e6, 10e6));

TEST(DescentLaw, GroundOfWhichAStepIsTooMuchIsLeftAlone) {
  DescentLaw law(Touch::kPlate, 2.5e-6);
  const auto pressed = press(law, {8e6, -1e-6}, 0.2e-3);  // 12 N, of which a step is 20 N
  EXPECT_TRUE(pressed.refused);
  EXPECT_LE(pressed.most_N, kCeiling_N);
}

/// A plate was pressed before under the same frame, 0.083 N/um: ground that is looked for is met in
/// steps of 20 um instead of 0.6, and the ceiling holds wherever it begins.
TEST(DescentLaw, GroundIsLookedForQuicklyBehindAFrameThatAPlateHasShown) {
  for (double off_m = -50e-6; off_m < 0; off_m += 0.37e-6) {
    DescentLaw alone(Touch::kGround), after_plate(Touch::kGround);
    after_plate.expect(2 * 0.083e6);
    const Ground ground{0.083e6, off_m};
    const auto slow = press(alone, ground, 0.1e-3);
    const auto quick = press(after_plate, ground, 0.1e-3);
    ASSERT_LE(slow.most_N, kCeiling_N) << off_m * 1e6;
    ASSERT_LE(quick.most_N, kCeiling_N) << off_m * 1e6;
    EXPECT_GE(quick.most_N, kEnd_N);
    EXPECT_LT(2 * quick.pieces, slow.pieces);
  }
}

/// 3 N after a step of 1 um: 3 N/um where it touched at once, 6 where in the middle of the step.
TEST(DescentLaw, TheFirstTouchLeavesTheSlopeOpenByTwo) {
  DescentLaw law(Touch::kPlate, 1e-6);
  law.begin_press();
  law.rest(0, 0);
  law.rest(-1e-6, 3);
  EXPECT_NEAR(law.least_slope_N_per_m(), 3e6, 1);
  EXPECT_NEAR(law.slope_N_per_m(), 6e6, 1);
  law.rest(-2e-6, 8);
  EXPECT_NEAR(law.least_slope_N_per_m(), 5e6, 1);
  EXPECT_NEAR(law.slope_N_per_m(), 5e6, 1);
}

/// Read 0.3 s late, a contact of 15 N looks like air at first and like foam then: once that was a
/// licence for as much again.
TEST(DescentLaw, AForceOfTheWayIsNotTakenForThatOfThePlace) {
  constexpr double kSpeed_m_per_s = 0.1e-3, kLate_s = 0.3;
  const Ground ground{0.083e6, 0};
  DescentLaw law(Touch::kPlate);
  law.begin_press();
  for (double t_s = 0; t_s < 1.2; t_s += 0.01) {
    const double felt_s = t_s - kLate_s;
    law.see(-kSpeed_m_per_s * t_s, static_cast<std::int64_t>(t_s * 1e9),
            ground.force_N(-kSpeed_m_per_s * felt_s), static_cast<std::int64_t>(felt_s * 1e9));
  }
  EXPECT_FALSE(law.known());
  EXPECT_EQ(law.reach_m(plate_goal(), -0.12e-3, ground.force_N(-0.09e-3)), 0);
}

}  // namespace
}  // namespace tactelier::rig
