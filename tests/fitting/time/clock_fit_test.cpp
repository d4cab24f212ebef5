// Clocks made here: a line, exponential delays of a fixed seed.
#include "fitting/time/clock_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

constexpr double kTransport_s = 2e-3;

double late(RandomSource& random) { return kTransport_s - 1.5e-3 * std::log(1 - random.uniform()); }

TEST(ClockMap, GoesThereAndBack) {
  const ClockMap map({{0, 100}, {10, 110.1}, {20, 120}});
  EXPECT_NEAR(map.to_host_s(5), 105.05, 1e-12);
  EXPECT_NEAR(map.to_host_s(-10), 89.9, 1e-12);  // the first piece goes on
  EXPECT_NEAR(map.to_host_s(30), 129.9, 1e-12);
  for (const double t : {-3.0, 0.0, 7.0, 10.0, 19.0, 33.0})
    EXPECT_NEAR(map.to_device_s(map.to_host_s(t)), t, 1e-12);
  const auto earlier = map.advanced(0.5);
  EXPECT_NEAR(earlier.to_host_s(5), 104.55, 1e-12);
  EXPECT_NEAR(earlier.to_device_s(104.55), 5, 1e-12);
  EXPECT_TRUE(ClockMap().identity());
  EXPECT_EQ(ClockMap().to_host_s(3), 3);
}

TEST(ClockFit, FindsOffsetAndSkewBelowJitter) {
  RandomSource random(5);
  ClockFitter fitter;
  for (int i = 0; i < 5000; ++i) {
    const double device_s = 700 + 0.01 * i;
    fitter.add(device_s, 3 + 0.01 * i * (1 + 80e-6) + late(random));
  }
  const auto fit = fitter.fit();
  ASSERT_TRUE(fit);
  EXPECT_LT(std::abs(fit->skew.value - 80e-6), 2 * fit->skew.std);
  EXPECT_LT(fit->skew.std, 2e-7);
  EXPECT_LT(std::abs(fit->offset_s.value - (3 - 700 + kTransport_s)), 2 * fit->offset_s.std);
  EXPECT_LT(fit->offset_s.std, 2e-5);
  EXPECT_NEAR(fit->residual_s, 1.5e-3, 1e-4);
  EXPECT_NEAR(fit->map.to_host_s(725), 3 + 25 * (1 + 80e-6) + kTransport_s, 1e-5);
}

TEST(ClockFit, FollowsACrystalThatDrifts) {
  RandomSource random(6);
  ClockFitter fitter;
  // 20 ppm at first, 50 ppm after 20 minutes: a straight line would be 4.5 ms off in the middle.
  const auto host = [](double t) { return t * (1 + 20e-6) + 0.5 * (30e-6 / 1200) * t * t; };
  for (int i = 0; i < 120000; ++i) fitter.add(0.01 * i, host(0.01 * i) + late(random));
  const auto fit = fitter.fit();
  ASSERT_TRUE(fit);
  EXPECT_GE(fit->windows, 18);
  for (int t = 0; t <= 1200; t += 50)
    EXPECT_NEAR(fit->map.to_host_s(t), host(t) + kTransport_s, 6e-5) << t;
  EXPECT_NEAR(fit->wander, 27e-6, 3e-6);
}

TEST(ClockFit, DrawsNoLineAcrossARestart) {
  RandomSource random(7);
  ClockFitter fitter;
  for (int i = 0; i < 4000; ++i) {
    if (i == 2000) fitter.split();
    fitter.add(0.01 * i, 0.01 * i + (i < 2000 ? 5 : 12) + late(random));
  }
  const auto fit = fitter.fit();
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->pieces, 2);
  EXPECT_NEAR(fit->map.to_host_s(10), 15 + kTransport_s, 2e-5);
  EXPECT_NEAR(fit->map.to_host_s(19.99), 24.99 + kTransport_s, 2e-5);
  EXPECT_NEAR(fit->map.to_host_s(20), 32 + kTransport_s, 2e-5);
  EXPECT_NEAR(fit->map.to_host_s(30), 42 + kTransport_s, 2e-5);
}

TEST(ClockFit, RefusesAHandful) {
  ClockFitter fitter;
  for (int i = 0; i < 5; ++i) fitter.add(i, i);
  EXPECT_FALSE(fitter.fit());
}

}  // namespace
}  // namespace tactelier
