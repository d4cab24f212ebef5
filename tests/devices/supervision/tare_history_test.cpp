#include "devices/supervision/tare_history.hpp"

#include <gtest/gtest.h>

namespace tactelier::rig {
namespace {

constexpr std::int64_t kMinute = 60'000'000'000;
constexpr std::array<double, 3> kHere{};

TEST(TareHistory, ATareInContactDiffersFromTheTops) {
  TareHistory tares;
  EXPECT_FALSE(tares.add(-0.4, kHere, 0));  // whatever the tip weighs
  EXPECT_FALSE(tares.add(-0.38, kHere, kMinute / 2));
  const auto refused = tares.add(-0.38 + 0.2, kHere, kMinute);
  ASSERT_TRUE(refused);
  EXPECT_NEAR(refused->shift_N, 0.2, 1e-12);
  EXPECT_NEAR(refused->allowed_N, 0.0315, 1e-12);
  // The one before still counts.
  EXPECT_FALSE(tares.add(-0.38, kHere, kMinute));
}

TEST(TareHistory, WarmUpIsAllowedThreeMillinewtonsAMinute) {
  TareHistory tares;
  (void)tares.add(0, kHere, 0);
  EXPECT_TRUE(tares.add(0.055, kHere, 8 * kMinute));
  EXPECT_FALSE(tares.add(0.053, kHere, 8 * kMinute));
}

TEST(TareHistory, ACablePullsElsewhereInAnotherWay) {
  const std::array<double, 3> there{30e-3, 40e-3, 0};  // 50 mm: 25 mN more
  TareHistory tares;
  (void)tares.add(0, kHere, 0);
  EXPECT_TRUE(tares.add(0.056, there, 0));
  EXPECT_FALSE(tares.add(0.054, there, 0));
}

TEST(TareHistory, AnotherTipWeighsSomethingElse) {
  TareHistory tares;
  (void)tares.add(0, kHere, 0);
  tares.forget();
  EXPECT_FALSE(tares.known());
  EXPECT_FALSE(tares.add(0.5, kHere, 1));
}

}  // namespace
}  // namespace tactelier::rig
