#include "devices/supervision/confirmed_air.hpp"

#include <gtest/gtest.h>

namespace tactelier::rig {
namespace {

constexpr double kTop_m = 20e-3;

ConfirmedAir nothing_confirmed() {
  ConfirmedAir air;
  air.forget(kTop_m);
  return air;
}

TEST(ConfirmedAir, AtPowerUpOnlyTheHeightOfTheSwitchesIsFree) {
  const auto air = nothing_confirmed();
  EXPECT_TRUE(air.confirmed({40e-3, 3e-3, 18e-3}));
  EXPECT_FALSE(air.confirmed({40e-3, 3e-3, 17e-3}));
}

/// Micrometres that were added up end a rounding below it: a way at the top was crossed at 1 mm/s.
TEST(ConfirmedAir, ARoundingBelowTheHeightOfTheSwitchesIsFreeAsWell) {
  const auto air = nothing_confirmed();
  const double at_m = air.free_above_m();
  for (int i = 0; i < 100; ++i) {
    const double low_m = at_m - 1e-18 - i * 1e-8;
    EXPECT_EQ(air.unconfirmed_m({5.1e-3, 18.7e-3, low_m}, {60e-3, 1e-6 * i, at_m}), 0) << i;
  }
}

/// A stage that goes ten times as far as it is told meets the pad from there.
TEST(ConfirmedAir, AWayDownFromTheSwitchesIsUnknownFromItsBeginning) {
  auto air = nothing_confirmed();
  const auto down = air.split({0, 0, 19e-3}, {0, 0, 15e-3});
  ASSERT_EQ(down.size(), 1U);
  EXPECT_FALSE(down[0].confirmed);
  EXPECT_TRUE(air.split({0, 0, 19e-3}, {30e-3, 0, 19e-3})[0].confirmed);
  air.confirm({0, 0, 19e-3}, {0, 0, 15e-3});
  EXPECT_TRUE(air.split({0, 0, 19e-3}, {0, 0, 15e-3})[0].confirmed);
}

TEST(ConfirmedAir, AHeightHoldsForItsCorridorAndAllAboveIt) {
  auto air = nothing_confirmed();
  air.confirm({5e-3, 5e-3, 18e-3}, {5e-3, 5e-3, 2e-3});
  EXPECT_TRUE(air.confirmed({5e-3, 5e-3, 2e-3}));
  EXPECT_TRUE(air.confirmed({5.2e-3, 4.8e-3, 9e-3}));
  EXPECT_FALSE(air.confirmed({5e-3, 5e-3, 1.9e-3}));
  EXPECT_FALSE(air.confirmed({7e-3, 5e-3, 2e-3}));  // two millimetres beside
}

TEST(ConfirmedAir, SplitsAWayWhereItLeavesWhatIsKnown) {
  auto air = nothing_confirmed();
  air.confirm({0, 0, 18e-3}, {0, 0, 5e-3});
  const auto down = air.split({0, 0, 18e-3}, {0, 0, 1e-3});
  ASSERT_EQ(down.size(), 2U);
  EXPECT_TRUE(down[0].confirmed);
  EXPECT_NEAR(down[0].to_m[2], 5e-3, 0.25e-3);
  EXPECT_FALSE(down[1].confirmed);
  EXPECT_EQ(down[1].to_m[2], 1e-3);
  EXPECT_NEAR(air.unconfirmed_m({0, 0, 18e-3}, {0, 0, 1e-3}), 4e-3, 0.25e-3);
}

TEST(ConfirmedAir, SidewaysBelowAConfirmedHeightIsUnknown) {
  auto air = nothing_confirmed();
  air.confirm({0, 0, 18e-3}, {0, 0, 1e-3});
  air.confirm({10e-3, 0, 18e-3}, {10e-3, 0, 1e-3});
  // Both ends are known, what stands between them is not.
  EXPECT_GT(air.unconfirmed_m({0, 0, 1e-3}, {10e-3, 0, 1e-3}), 7.5e-3);
  EXPECT_EQ(air.unconfirmed_m({0, 0, 18e-3}, {10e-3, 0, 18e-3}), 0);
}

TEST(ConfirmedAir, ASurfaceThatWasTouchedFreesTheAirHalfAMillimetreOverIt) {
  auto air = nothing_confirmed();
  const auto sensor = *load_sensor("weiss-wts0614");
  RigFile rig;
  rig.surface.z0_m = 3e-3;
  air.confirm_over(PadFrame(rig, sensor), sensor);
  EXPECT_TRUE(air.confirmed({0, 0, 3.5e-3}));
  EXPECT_FALSE(air.confirmed({0, 0, 3.4e-3}));
  // Corner tactels lie at 8.5 and 22.1 mm; one pitch around them belongs to it, ten mm don't.
  EXPECT_TRUE(air.confirmed({11e-3, 25e-3, 3.5e-3}));
  EXPECT_FALSE(air.confirmed({22e-3, 0, 3.5e-3}));
}

TEST(ConfirmedAir, AnotherTipKnowsNothing) {
  auto air = nothing_confirmed();
  air.confirm({0, 0, 18e-3}, {0, 0, 1e-3});
  air.forget(kTop_m);
  EXPECT_FALSE(air.confirmed({0, 0, 5e-3}));
}

}  // namespace
}  // namespace tactelier::rig
