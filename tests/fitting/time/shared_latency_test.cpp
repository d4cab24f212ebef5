// A latency belongs to two devices: what one session of a fit finds holds for the others, whatever
// their order, and where none finds it the intervals know.
#include "fitting/time/shared_latency.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fitting/time/time.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "tests/fitting/support/synthetic_bench.hpp"

namespace tactelier {
namespace {

using synthetic::Bench;
using synthetic::Recording;

constexpr double kLatency_s = 0.0037;
constexpr double kThreshold_N = 0.2, kGain = 5e-4;

bool covers(const Parameter& parameter, double truth) {
  return parameter.ci95 && (*parameter.ci95)[0] <= truth && truth <= (*parameter.ci95)[1];
}

/// Ramps at 2.4 N/s, all alike: they don't tell the latency from hysteresis.
Bench steady_ramps(std::uint64_t seed = 1) {
  auto bench = Bench::uniform(1, 2, 5);
  bench.latency_s = kLatency_s;
  bench.ramp_s = 1.5 / 2.4;
  bench.seed = seed;
  return bench;
}

/// Three speeds a factor 9 apart.
Bench several_speeds() {
  auto bench = Bench::uniform(1, 2, 0);
  for (int repeat = 0; repeat < 3; ++repeat)
    for (int tactel = 0; tactel < 2; ++tactel)
      for (const double ramp_s : {0.25, 0.75, 2.25})
        bench.presses.push_back({.tactel = tactel, .kind = "speed", .ramp_s = ramp_s});
  bench.latency_s = kLatency_s;
  bench.seed = 9;
  return bench;
}

Result<SensorModel> fit_both(const Recording& a, const Recording& b,
                             const std::vector<std::string>& stages = {"response"}) {
  return fit({a.fit_session(), b.fit_session()}, stages, {}, {});
}

TEST(SharedLatency, OfOneSessionIsTakenOutOfTheOthersOfTheSameDevices) {
  const Recording steady(steady_ramps()), speeds(several_speeds());
  const auto model = fit_both(steady, speeds);
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_TRUE(covers(model->timing.latency_s, kLatency_s));
  EXPECT_EQ(model->quality.at("time").figures.at("latency_taken_over"), 1);
  for (const auto& tactel : model->response.tactels) {
    ASSERT_TRUE(tactel.press_threshold.identified()) << tactel.press_threshold.reason;
    EXPECT_NEAR(*tactel.press_threshold.value, kThreshold_N, 0.006 * kThreshold_N);
    EXPECT_TRUE(covers(tactel.press_threshold, kThreshold_N));
    EXPECT_TRUE(covers(tactel.press_gain, kGain));
  }
}

TEST(SharedLatency, IsTheSameInAnyOrderOfTheSessions) {
  const Recording steady(steady_ramps()), speeds(several_speeds());
  const auto one = fit_both(steady, speeds), other = fit_both(speeds, steady);
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->timing.latency_s, other->timing.latency_s);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& a = one->response.tactels[i];
    const auto& b = other->response.tactels[i];
    EXPECT_NEAR(*a.press_threshold.value, *b.press_threshold.value, 1e-5 * kThreshold_N);
    EXPECT_NEAR(*a.press_gain.value, *b.press_gain.value, 1e-5 * kGain);
  }
  const auto& figures = one->quality.at("time").figures;
  EXPECT_EQ(figures, other->quality.at("time").figures);
}

TEST(SharedLatency, ThatNobodyMeasuredStandsInTheIntervals) {
  int held = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Recording steady(steady_ramps(seed));
    const auto model = steady.fit({"response"});
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_FALSE(model->timing.latency_s.value);
    for (const auto& tactel : model->response.tactels) {
      EXPECT_GT(std::abs(*tactel.press_threshold.value - kThreshold_N), 0.02 * kThreshold_N);
      held += covers(tactel.press_threshold, kThreshold_N) ? 1 : 0;
      EXPECT_TRUE(covers(tactel.press_gain, kGain));
    }
  }
  EXPECT_EQ(held, 10);
}

TEST(SharedLatency, WidensNothingWherePressesShowNone) {
  auto bench = steady_ramps();
  bench.latency_s = 0;
  const auto model = Recording(bench).fit({"response"});
  ASSERT_TRUE(model);
  for (const auto& tactel : model->response.tactels) {
    const auto& ci = *tactel.press_threshold.ci95;
    EXPECT_LT(ci[1] - ci[0], 0.02 * kThreshold_N);
    EXPECT_TRUE(covers(tactel.press_threshold, kThreshold_N));
  }
}

TEST(SharedLatency, IsNotTakenFromDevicesThatAreStampedInAnotherWay) {
  auto other = several_speeds();
  other.tactile_clock = synthetic::DeviceClock{.start_s = 77};
  const Recording steady(steady_ramps()), speeds(other);
  const auto model = fit_both(steady, speeds, {"time"});
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_FALSE(model->quality.at("time").figures.contains("latency_taken_over"));
}

TEST(SharedLatency, IsAWeightedMeanInAnyOrder) {
  const Estimate sharp{0.0040, 1e-4, 10}, dull{0.0044, 4e-4, 6};
  const auto shared = share_latencies({sharp, dull});
  ASSERT_TRUE(shared);
  EXPECT_NEAR(shared->latency_s.value, (0.0040 * 16 + 0.0044) / 17, 1e-12);
  EXPECT_NEAR(shared->latency_s.std, 1e-4 * std::sqrt(16.0 / 17), 1e-12);
  EXPECT_TRUE(shared->agree);
  EXPECT_EQ(share_latencies({dull, sharp})->latency_s.value, shared->latency_s.value);
  EXPECT_FALSE(share_latencies({}));
}

TEST(SharedLatency, OfSessionsThatDisagreeIsWideAndSaysSo) {
  const auto shared = share_latencies({{0.003, 1e-4, 10}, {0.008, 1e-4, 10}});
  EXPECT_FALSE(shared->agree);
  EXPECT_NEAR(shared->latency_s.std, 0.0025, 1e-6);
}

}  // namespace
}  // namespace tactelier
