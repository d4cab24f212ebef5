#include "fitting/stiffness/stiffness_branch.hpp"

#include <gtest/gtest.h>

namespace tactelier {
namespace {

/// Five holds of 1 s while loading, one while unloading; force relaxes within each from +20 % to 0.
struct Staircase {
  PressData data;
  Press press;

  Staircase() {
    press.kind = PressKind::kStaircase;
    for (const double level : {1.0, 2.0, 3.0, 4.0, 5.0, 2.5}) {
      const double begin_s = static_cast<double>(data.rows()) * 0.01;
      for (int i = 0; i < 100; ++i) {
        data.time_s.push_back(static_cast<double>(data.rows()) * 0.01);
        data.travel_m.push_back(level * 1e-3);
        data.force_N.push_back(0.5 + level * (i < 50 ? 1.2 : 1.0));
      }
      press.holds.push_back({begin_s, static_cast<double>(data.rows()) * 0.01, {}, level * 1e-3});
    }
    data.peak = 400;
  }
};

TEST(LoadingBranch, AStaircaseIsReadWhenThePadHasComeToRest) {
  const Staircase stairs;
  const auto branch = loading_branch(stairs.data, stairs.press, stairs.data.travel_m, 0.5, true);
  EXPECT_TRUE(branch.independent);
  ASSERT_EQ(branch.depth_m.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(branch.depth_m[i], (static_cast<double>(i) + 1) * 1e-3, 1e-12);
    EXPECT_NEAR(branch.force_N[i], static_cast<double>(i) + 1, 1e-12);
  }
}

TEST(LoadingBranch, ARampCountsUpToItsPeak) {
  Staircase stairs;
  stairs.press.kind = PressKind::kRamp;
  const auto branch = loading_branch(stairs.data, stairs.press, stairs.data.travel_m, 0.5, true);
  EXPECT_EQ(branch.depth_m.size(), 401U);
  EXPECT_FALSE(branch.independent);
}

TEST(LoadingBranch, ReadingsAtRestCountUpToTheDeepestWhateverTheForce) {
  PressData data;
  data.static_readings = true;
  for (int i = 0; i < 6; ++i) {
    data.time_s.push_back(i);
    data.travel_m.push_back(i * 1e-4);
    data.force_N.push_back(i == 4 ? 9 : i);
  }
  data.peak = 4;
  const auto branch = loading_branch(data, {}, data.travel_m, 0, false);
  EXPECT_EQ(branch.depth_m.size(), 6U);
  EXPECT_TRUE(branch.independent);
}

TEST(LoadingBranch, WithoutContactPointTheFreeAirIsLeftOut) {
  PressData data;
  for (int i = 0; i < 100; ++i) {
    data.time_s.push_back(i * 0.01);
    data.travel_m.push_back(i * 1e-5);
    data.force_N.push_back(std::max(0, i - 50) * 0.02);
  }
  data.peak = 99;
  const auto branch = loading_branch(data, {}, data.travel_m, 0, false);
  EXPECT_EQ(branch.depth_m.size(), 45U);  // 10 % of 0.98 N is reached at row 55
  EXPECT_FALSE(branch.from_contact);
}

TEST(UnloadingStart, IsTheEndOfTheLastHoldNearThePeak) {
  Staircase stairs;
  // Hold 5 (rows 400 .. 499) is the deepest; the one at 2.5 mm while unloading carries half.
  EXPECT_EQ(unloading_start(stairs.data, stairs.press), 499U);
  stairs.press.holds.clear();
  EXPECT_EQ(unloading_start(stairs.data, stairs.press), 400U);
}

}  // namespace
}  // namespace tactelier
