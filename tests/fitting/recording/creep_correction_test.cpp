#include "fitting/recording/creep_correction.hpp"

#include <gtest/gtest.h>

#include <array>

namespace tactelier {
namespace {

TEST(CreepHidden, IsNoneWithoutEarlierLoads) { EXPECT_EQ(creep_hidden({}, 1, 100), 0); }

// By hand: 100 s of load that ended 3 s before leave log10(1 + 100/4) = 1.41497 after 1 s and
// log10(1 + 100/103) = 0.29466 after 100 s: 1.12031 of the 2 decades.
TEST(CreepHidden, IsWhatALoadJustBeforeLeavesAndLoses) {
  const std::array before{EarlierLoad{100, 3}};
  EXPECT_NEAR(creep_hidden(before, 1, 100), 0.56016, 1e-5);
}

TEST(CreepHidden, FallsBelowATenthAfterALongRest) {
  const std::array just{EarlierLoad{100, 300}}, long_ago{EarlierLoad{100, 1000}};
  EXPECT_LT(creep_hidden(long_ago, 1, 100), 0.01);
  EXPECT_LT(creep_hidden(just, 1, 100), 0.1);
  const std::array many{EarlierLoad{40, 100}, EarlierLoad{40, 145}, EarlierLoad{100, 3}};
  EXPECT_GT(creep_hidden(many, 1, 100), 0.56);
}

// By hand: 1 N/s for 2 s, then held. D(2) = (3 ln 3 - 2)/ln 10, D(12) = ((13 ln 13 - 12) - (11 ln
// 11
// - 10))/ln 10. A step: log10(1 + t).
TEST(CreepDecades, AddUpTheLogarithmsOfAllThatTheForceRoseBy) {
  const std::array times_s{0.0, 2.0, 12.0};
  const auto ramp_N = creep_decades_N(times_s, std::array{0.0, 2.0, 2.0});
  EXPECT_EQ(ramp_N[0], 0);
  EXPECT_NEAR(ramp_N[1], 0.562775, 1e-6);
  EXPECT_NEAR(ramp_N[2], 2.15736, 1e-5);
  const auto step_N = creep_decades_N(times_s, std::array{3.0, 3.0, 3.0});
  EXPECT_NEAR(step_N[2], 3 * 1.1139434, 1e-6);
}

// By hand: a ramp of 3 s ends at (4 ln 4 - 3)/(3 ln 10) = 0.36846 decades; 4.0 +- 0.2 % per decade.
TEST(CreepCorrection, LeavesItsOwnUncertaintyAndHalfOfItselfInAGain) {
  ReadingCreep creep;
  creep.per_decade = 0.04;
  creep.u_per_decade = 0.002;
  EXPECT_NEAR(u_creep_correction(creep, 3), 4.3179e-3, 1e-6);
}

}  // namespace
}  // namespace tactelier
