#include "devices/supervision/stop_watch.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace tactelier::rig {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kTold_ns = 5'000 * kMs;

/// Where a stage along x is that moves with v and brakes with a from `brakes_s` after the stop on.
double braked_m(double t_s, double v, double a, double brakes_s) {
  const double braking_s = std::min(std::max(0.0, t_s - brakes_s), v / a);
  return v * std::min(t_s, brakes_s) + v * braking_s - a * braking_s * braking_s / 2;
}

/// Reports every 25 ms for two seconds; what the watch says, and when.
std::optional<std::string> judge(StopWatch& watch, double v, double a, double brakes_s,
                                 double* late_s = nullptr) {
  watch.begin(kTold_ns, v / a);
  for (int i = 0; i <= 80; ++i) {
    const double t_s = 0.025 * i;
    const bool rests = t_s > brakes_s + v / a;
    if (auto why = watch.see_report(kTold_ns + 25 * kMs * i, {braked_m(t_s, v, a, brakes_s), 0, 0},
                                    rests)) {
      if (late_s != nullptr) *late_s = t_s;
      return why;
    }
  }
  return std::nullopt;
}

TEST(StopWatch, LetsAStageBrakeAsLongAsItNeeds) {
  // 25 mm/s at 100 mm/s^2: 250 ms, and 50 ms prepared ahead.
  for (const double v : {1e-4, 1e-3, 8e-3, 25e-3}) {
    StopWatch watch;
    EXPECT_EQ(judge(watch, v, 0.1, 0.05), std::nullopt) << v;
  }
}

TEST(StopWatch, SaysThatAStageGoesOnAfterItsTimeToBrakeAnd150Ms) {
  double late_s = 0;
  StopWatch watch;
  const auto why = judge(watch, 25e-3, 0.1, 1e9, &late_s);
  ASSERT_TRUE(why);
  EXPECT_THAT(*why, HasSubstr("does not stop"));
  EXPECT_THAT(*why, HasSubstr("250 ms to brake"));
  EXPECT_GT(late_s, 0.4);
  EXPECT_LE(late_s, 0.45);
  EXPECT_FALSE(watch.watching());
}

TEST(StopWatch, FindsACreepingStageTooWithAFewReportsMore) {
  double late_s = 0;
  StopWatch watch;
  ASSERT_TRUE(judge(watch, 0.1e-3, 0.1, 1e9, &late_s));
  EXPECT_LE(late_s, 0.25);
}

TEST(StopWatch, WaitsLongerInAFasterWorld) {
  double late_s = 0;
  StopWatch watch(8);
  ASSERT_TRUE(judge(watch, 25e-3, 0.1, 1e9, &late_s));
  EXPECT_GT(late_s, 0.25 + 8 * 0.15);
}

TEST(StopWatch, IsOverWhenTwoReportsSayThatItStands) {
  StopWatch watch;
  watch.begin(kTold_ns, 0.1);
  EXPECT_FALSE(watch.see_report(kTold_ns + 100 * kMs, {1e-3, 0, 0}, true));
  EXPECT_FALSE(watch.see_report(kTold_ns + 125 * kMs, {1e-3, 0, 0}, true));
  EXPECT_FALSE(watch.watching());
  // The retract that follows is none of its business.
  for (int i = 0; i < 40; ++i)
    EXPECT_FALSE(watch.see_report(kTold_ns + (300 + 25 * i) * kMs, {1e-3, 0, 1e-4 * i}, false));
}

TEST(StopWatch, OneReportOfRestIsNotEnough) {
  StopWatch watch;
  watch.begin(kTold_ns, 0.1);
  EXPECT_FALSE(watch.see_report(kTold_ns + 100 * kMs, {1e-3, 0, 0}, true));
  EXPECT_FALSE(watch.see_report(kTold_ns + 300 * kMs, {2e-3, 0, 0}, false));
  EXPECT_TRUE(watch.see_report(kTold_ns + 325 * kMs, {3e-3, 0, 0}, false));
}

/// 1000 samples a second from the stop on: what the watch says.
template <class Force>
std::optional<std::string> feel(StopWatch& watch, Force force_N) {
  for (int i = 0; i < 1000; ++i)
    if (auto why = watch.see_force(kTold_ns + i * kMs, force_N(1e-3 * i))) return why;
  return std::nullopt;
}

TEST(StopWatch, SaysThatTheForceStillRises) {
  StopWatch watch;
  watch.begin(kTold_ns, 0.1);
  const auto why = feel(watch, [](double t_s) { return 2 + 5 * t_s; });
  ASSERT_TRUE(why);
  EXPECT_THAT(*why, HasSubstr("force still rises"));
}

TEST(StopWatch, APullThatGrowsIsAForceThatRises) {
  StopWatch watch;
  watch.begin(kTold_ns, 0.1);
  EXPECT_TRUE(feel(watch, [](double t_s) { return -2 - 5 * t_s; }));
}

TEST(StopWatch, ARiseWhileItBrakesIsNone) {
  StopWatch watch;
  watch.begin(kTold_ns, 0.1);
  EXPECT_FALSE(feel(watch, [](double t_s) { return 2 + 20 * std::min(t_s, 0.2); }));
}

TEST(StopWatch, NoiseIsNoRise) {
  StopWatch watch;
  watch.begin(kTold_ns, 0.1);
  unsigned state = 1;
  EXPECT_FALSE(feel(watch, [&](double) {
    state = state * 1664525U + 1013904223U;
    return 2 + 0.1 * (static_cast<double>(state >> 8U) / (1U << 24U) - 0.5);
  }));
}

TEST(StopWatch, AForceOnAStageThatStandsIsSomebodyElses) {
  StopWatch watch;
  watch.begin(kTold_ns, 0.1);
  EXPECT_FALSE(watch.see_report(kTold_ns + 100 * kMs, {}, true));
  EXPECT_FALSE(watch.see_report(kTold_ns + 125 * kMs, {}, true));
  EXPECT_FALSE(watch.watching());
  EXPECT_FALSE(feel(watch, [](double t_s) { return 1 + 10 * t_s; }));
  watch.begin(kTold_ns, 0);  // nothing moved
  EXPECT_FALSE(feel(watch, [](double t_s) { return 1 + 10 * t_s; }));
}

TEST(StopWatch, AStageThatTellsNoPlaceIsLateAfterItsSilence) {
  StopWatch watch;
  watch.begin(kTold_ns, 0.1);
  EXPECT_FALSE(watch.look(kTold_ns + 1200 * kMs));
  EXPECT_TRUE(watch.look(kTold_ns + 1251 * kMs));
  watch.begin(kTold_ns, 0);  // nothing moves: nothing can be late
  EXPECT_FALSE(watch.look(kTold_ns + 60'000 * kMs));
}

TEST(StopWatch, ASecondStopDoesNotBeginAnew) {
  StopWatch watch;
  watch.begin(kTold_ns, 0.1);
  watch.begin(kTold_ns + 200 * kMs, 0.1);
  EXPECT_FALSE(watch.see_report(kTold_ns + 250 * kMs, {0, 0, 0}, false));
  EXPECT_TRUE(watch.see_report(kTold_ns + 275 * kMs, {1e-3, 0, 0}, false));
}

}  // namespace
}  // namespace tactelier::rig
