// Sets of presses made here: which model, and what must be refused.

#include "fitting/damping/damping_estimate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

using testing::StartsWith;

struct Pad {
  double c_n = 0;          // N s/m
  double dissipation = 0;  // s/m
  double scatter = 1e-3;   // of each press's stiffness
  std::vector<double> speeds_m_per_s{1e-4, 3e-4, 1e-3, 3e-3};
  double latency_s = 0;  // force behind depth
  double stage_period_s = 1e-3;
  std::uint64_t seed = 1;
};

RateData record(const Pad& pad) {
  RandomSource random(pad.seed);
  RateData data;
  data.stage_period_s = pad.stage_period_s;
  for (const double speed : pad.speeds_m_per_s)
    for (int repeat = 0; repeat < 3; ++repeat) {
      RatePress press;
      press.speed_m_per_s = speed;
      const double k = 1800 * (1 + pad.scatter * random.normal());
      for (const double v : {speed, -speed})
        for (int i = 5; i <= 50; ++i) {
          const double depth = 2e-5 * i;
          const double felt = depth - v * pad.latency_s;
          const double force = k * felt * (1 + pad.dissipation * v) + pad.c_n * v;
          press.rows.push_back({depth, v, force + 1e-3 * random.normal(), 1e-3, 0, 0, 0});
        }
      data.presses.push_back(press);
    }
  return data;
}

TEST(DampingEstimate, ChoosesKelvinVoigtAndFindsIt) {
  const auto found = estimate_damping(record({.c_n = 9}));
  ASSERT_EQ(found.refusal, "");
  EXPECT_EQ(found.chosen, RateModel::kKelvinVoigt);
  EXPECT_TRUE(found.decided);
  EXPECT_NEAR(found.value.value, 9, 4 * found.value.std);
  EXPECT_LT(found.value.std, 0.4);
}

TEST(DampingEstimate, ChoosesHuntCrossleyAndFindsIt) {
  const auto found = estimate_damping(record({.dissipation = 12}));
  ASSERT_EQ(found.refusal, "");
  EXPECT_EQ(found.chosen, RateModel::kHuntCrossley);
  EXPECT_TRUE(found.decided);
  EXPECT_NEAR(found.value.value, 12, 4 * found.value.std);
}

TEST(DampingEstimate, IntervalsHoldTheTruthAsOftenAsTheySay) {
  int held = 0;
  constexpr int kRepeats = 60;
  for (std::uint64_t seed = 1; seed <= kRepeats; ++seed) {
    Pad pad{.dissipation = 12, .scatter = 3e-3};
    pad.seed = seed;
    const auto found = estimate_damping(record(pad));
    held += std::abs(found.value.value - 12) < coverage_95(found.value.dof) * found.value.std;
  }
  EXPECT_GE(held, 0.88 * kRepeats);
}

TEST(DampingEstimate, RefusesSpeedsThatAreTooClose) {
  Pad pad{.dissipation = 12};
  pad.speeds_m_per_s = {1e-3, 2e-3, 3e-3};
  EXPECT_THAT(estimate_damping(record(pad)).refusal, StartsWith("DP-01 Speeds 1–3 mm/s"));
  pad.speeds_m_per_s = {3e-3};
  EXPECT_THAT(estimate_damping(record(pad)).refusal, StartsWith("DP-01 "));
  EXPECT_THAT(estimate_damping({}).refusal, StartsWith("DP-01 No presses"));
}

TEST(DampingEstimate, RefusesARateEffectBelowTheScatterOfPresses) {
  const Pad pad{.c_n = 0.5, .scatter = 0.03};
  EXPECT_THAT(estimate_damping(record(pad)).refusal, StartsWith("DP-02 "));
}

TEST(DampingEstimate, RefusesNegativeDampingThatALatencyMakes) {
  // A force 5 ms late on k = 1800 N/m takes 9 N s/m off the 2 that are there.
  const Pad pad{.c_n = 2, .latency_s = 5e-3};
  EXPECT_THAT(estimate_damping(record(pad)).refusal, StartsWith("DP-04 "));
}

TEST(DampingEstimate, RefusesWhatAStageOfSeldomStampsCannotSeparate) {
  Pad pad{.c_n = 9};
  pad.stage_period_s = 0.1;
  EXPECT_THAT(estimate_damping(record(pad)).refusal, StartsWith("DP-05 "));
}

}  // namespace
}  // namespace tactelier
