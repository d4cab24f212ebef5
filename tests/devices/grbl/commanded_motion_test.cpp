#include "devices/grbl/commanded_motion.hpp"

#include <gtest/gtest.h>

namespace tactelier::devices {
namespace {

const TrapezoidMove kMove({0, 0, 0}, {1e-3, 0, 0}, 2e-3, 10e-3);

TEST(TrapezoidMove, TakesTheTimeOfItsRampsAndItsCruise) {
  // v = 2 mm/s, a = 10 mm/s^2: ramps 0.2 s and 0.2 mm each, 0.6 mm in 0.3 s.
  EXPECT_NEAR(kMove.duration_s(), 0.7, 1e-12);
  EXPECT_NEAR(kMove.at(0.1)[0], 0.05e-3, 1e-12);
  EXPECT_NEAR(kMove.at(0.2)[0], 0.2e-3, 1e-12);
  EXPECT_NEAR(kMove.at(0.35)[0], 0.5e-3, 1e-12);
  EXPECT_NEAR(kMove.at(0.6)[0], 0.95e-3, 1e-12);
  EXPECT_EQ(kMove.at(-1)[0], 0);
  EXPECT_EQ(kMove.at(9)[0], 1e-3);
}

TEST(TrapezoidMove, NeverReachesItsSpeedOnAShortWay) {
  // L = 0.1 mm < v^2/a = 0.4 mm: a triangle of 2 sqrt(L/a) = 0.2 s.
  const TrapezoidMove move({0, 0, 0}, {0, 0, -0.1e-3}, 2e-3, 10e-3);
  EXPECT_NEAR(move.duration_s(), 0.2, 1e-12);
  EXPECT_NEAR(move.at(0.1)[2], -0.05e-3, 1e-12);
}

TEST(TrapezoidMove, TellsWhenItWasAtAPlace) {
  EXPECT_NEAR(*kMove.time_at({0.5e-3, 0, 0}), 0.35, 1e-12);
  EXPECT_NEAR(*kMove.time_at({0.1e-3, 0, 0}), 0.1414213562373095, 1e-12);
  EXPECT_NEAR(*kMove.time_at({0.9e-3, 0, 0}), 0.7 - 0.1414213562373095, 1e-12);
  EXPECT_FALSE(kMove.time_at({0, 0, 0}));            // at rest a place tells no time
  EXPECT_FALSE(kMove.time_at({0.5e-3, 0.2e-3, 0}));  // not on its way
}

TEST(CommandedMotion, LearnsFromReportsWhenItReallyBegan) {
  CommandedMotion motion;
  motion.rest_at({0, 0, 0});
  motion.add(kMove, 1'000'000'000);
  motion.correct({0.5e-3, 0, 0}, 1'390'000'000);           // 40 ms late
  motion.correct({0.7e-3, 0, 0}, 1'510'000'000);           // 60 ms late
  EXPECT_NEAR(motion.at(1'400'000'000)[0], 0.5e-3, 1e-9);  // 50 ms on average
  EXPECT_EQ(motion.at(0)[0], 0);
  EXPECT_EQ(motion.at(9'000'000'000)[0], 1e-3);
}

TEST(CommandedMotion, RunsMovesOneAfterTheOther) {
  CommandedMotion motion;
  motion.rest_at({0, 0, 0});
  motion.add(kMove, 0);
  motion.add(TrapezoidMove({1e-3, 0, 0}, {0, 0, 0}, 2e-3, 10e-3), 1'000'000);
  EXPECT_NEAR(motion.at(700'000'000)[0], 1e-3, 1e-9);
  EXPECT_NEAR(motion.at(1'050'000'000)[0], 0.5e-3, 1e-9);
  EXPECT_NEAR(motion.at(1'400'000'000)[0], 0, 1e-9);
}

}  // namespace
}  // namespace tactelier::devices
