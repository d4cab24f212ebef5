#include "devices/supervision/air_guard.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tactelier::rig {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

class AirGuardTest : public testing::Test {
 protected:
  AirGuardTest() { guard_.set_zero({0, 0, 0}); }
  /// A kilohertz of a constant force with noise on each axis.
  void see(const std::array<double, 3>& force_N, double noise_N, int samples, AirWatch watch) {
    for (int i = 0; i < samples; ++i) {
      auto noisy_N = force_N;
      for (auto& axis_N : noisy_N) axis_N += noise_N * normal_(random_);
      guard_.see(noisy_N, now_ns_ += kMillisecond, watch);
    }
  }
  AirGuard guard_;
  std::int64_t now_ns_ = 0;
  std::mt19937 random_{7};
  std::normal_distribution<double> normal_;
};

TEST_F(AirGuardTest, FeelsAForceOfAnyDirectionAfterTwentyMilliseconds) {
  for (const auto& force_N : {std::array{0.08, 0.0, 0.0}, {0.0, -0.08, 0.0}, {0.0, 0.0, -0.08}}) {
    see({0, 0, 0}, 0, 100, AirWatch::kDescending);
    EXPECT_LT(guard_.felt_N(), 1e-4);
    see(force_N, 0, 20, AirWatch::kDescending);
    EXPECT_GT(guard_.felt_N(), guard_.limit_N());
    EXPECT_NEAR(guard_.felt_at_once_N(), 0.08, 1e-12);
  }
}

TEST_F(AirGuardTest, TheLimitIsFiftyMillinewtonsUntilNoiseAsksForMore) {
  see({0, 0, 0}, 5e-3, 3000, AirWatch::kMoving);
  // 5 mN over the root of twenty samples, eight times: 9 mN.
  EXPECT_NEAR(guard_.limit_N(), 0.05, 1e-4);
  see({0, 0, 0}, 60e-3, 6000, AirWatch::kMoving);
  // 60 mN / sqrt(20) = 13.4 mN; the zero that follows takes a little of it.
  EXPECT_NEAR(guard_.noise_N(), 13.4e-3, 1.5e-3);
  EXPECT_NEAR(guard_.limit_N(), 8 * 13.4e-3, 12e-3);
}

TEST_F(AirGuardTest, NoiseOfAWholeProtocolNeverReachesTheLimit) {
  // An hour's motion of a Nano17 at a stepper: 30 mN each axis at 1 kHz.
  see({0, 0, 0}, 30e-3, 2000, AirWatch::kMoving);
  double worst = 0;
  for (int i = 0; i < 3'600'000; ++i) {
    see({0, 0, 0}, 30e-3, 1, AirWatch::kMoving);
    worst = std::max(worst, guard_.felt_N() / guard_.limit_N());
  }
  EXPECT_LT(worst, 1);
}

TEST_F(AirGuardTest, FollowsACableSidewaysButNothingOnTheWayDown) {
  double pull_N = 0;
  for (int i = 0; i < 3000; ++i) see({0, 0, pull_N += 10e-6}, 0, 1, AirWatch::kMoving);  // 10 mN/s
  EXPECT_LT(guard_.felt_N(), 0.012);
  // A soft pad at 0.1 mm/s adds force as slowly, and is felt whole.
  const double before_N = guard_.felt_N();
  for (int i = 0; i < 6000; ++i) see({0, 0, pull_N += 10e-6}, 0, 1, AirWatch::kDescending);
  EXPECT_NEAR(guard_.felt_N() - before_N, 0.06, 1e-3);
  EXPECT_GT(guard_.felt_N(), guard_.limit_N());
}

TEST_F(AirGuardTest, AnOldZeroMayHaveDrifted) {
  see({0, 0, 0}, 0, 10, AirWatch::kOff);
  now_ns_ += 600'000 * kMillisecond;
  see({0, 0, 0}, 0, 1, AirWatch::kDescending);
  EXPECT_NEAR(guard_.limit_N(), 0.05 + 0.03, 1e-3);  // ten minutes at 3 mN a minute
}

TEST_F(AirGuardTest, AContactThatGrowsIsNoNoise) {
  see({0, 0, 0}, 0, 1000, AirWatch::kMoving);
  for (double force_N = 0; force_N < 0.2; force_N += 2e-3)
    see({0, 0, force_N}, 0, 1, AirWatch::kMoving);
  EXPECT_LT(guard_.limit_N(), 0.051);
}

TEST(AirGuardWithoutZero, JudgesNothing) {
  AirGuard guard;
  guard.see({3, 0, 0}, 1, AirWatch::kDescending);
  EXPECT_FALSE(guard.zero_known());
  EXPECT_EQ(guard.felt_N(), 0);
}

}  // namespace
}  // namespace tactelier::rig
