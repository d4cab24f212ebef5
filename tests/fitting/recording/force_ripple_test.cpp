// The force's swing in time with the motor's steps, on forces made here.
#include "fitting/recording/force_ripple.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

constexpr double kStep_m = 2.5e-6, kSpeed_m_per_s = 0.3e-3;  // 120 steps a second
constexpr double kBias_N = 0.4, kTouch_s = 1;

/// 3 s of loading at 2 N/mm and more as it goes in; force swings by (constant + growth F) sin.
PressData loading(double constant_N, double growth, double noise_N) {
  RandomSource random(7);
  PressData data;
  for (int i = 0; i < 4000; ++i) {
    const double time_s = 1e-3 * i, in_s = std::max(0.0, time_s - kTouch_s);
    const double force_N = 0.6 * in_s + 0.1 * in_s * in_s;
    const double steps = time_s * kSpeed_m_per_s / kStep_m;
    const double swing =
        in_s > 0 ? (constant_N + growth * force_N) * std::sin(2 * std::numbers::pi * steps) : 0;
    data.time_s.push_back(time_s);
    data.travel_m.push_back(kSpeed_m_per_s * time_s);
    data.force_N.push_back(kBias_N + force_N + swing + noise_N * random.normal());
  }
  data.peak = data.force_N.size() - 1;
  return data;
}

PressContact contact() {
  PressContact contact;
  contact.time_s = kTouch_s;
  contact.force_bias_N = kBias_N;
  return contact;
}

TEST(ForceRipple, IsALineOverTheForce) {
  const auto found = force_ripple(loading(5e-3, 0.03, 0.02), contact(), kStep_m);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->rate_hz, 120, 0.3);
  for (const double force_N : {1.0, 2.0})
    EXPECT_NEAR(found->at(force_N), 5e-3 + 0.03 * force_N, 4e-3) << force_N;
}

TEST(ForceRipple, IsNoneOfNoiseAlone) {
  const auto found = force_ripple(loading(0, 0, 0.02), contact(), kStep_m);
  ASSERT_TRUE(found);
  EXPECT_LT(std::abs(found->at(1.5)), 4e-3);
}

TEST(ForceRipple, IsNotSoughtWhereStepsAreTooFastOrNotKnown) {
  const auto data = loading(5e-3, 0.03, 0);
  EXPECT_FALSE(force_ripple(data, contact(), 0.5e-6));  // 600 a second of 1000 forces
  EXPECT_FALSE(force_ripple(data, contact(), 0));
  EXPECT_FALSE(force_ripple(data, contact(), 50e-6));  // 6 a second: the force's own course
}

}  // namespace
}  // namespace tactelier
