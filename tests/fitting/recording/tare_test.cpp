// A press worked by hand: 1.2 s of free air, 1 s of press, 1.2 s of free air at 1 kHz.
#include "fitting/recording/tare.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fitting/recording/press_data.hpp"
#include "fitting/statistics/random.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "tests/fitting/support/synthetic_bench.hpp"

namespace tactelier {
namespace {

PressData drifting_press(double drift_N_per_s, double air_after_s = 1.2) {
  RandomSource random(3);
  PressData data;
  data.period_s = 1e-3;
  const int rows = 2200 + static_cast<int>(std::lround(1e3 * air_after_s));
  for (int i = 0; i < rows; ++i) {
    const double t = 1e-3 * i;
    const double press = std::max(0.0, 1 - std::abs(t - 1.7) / 0.5);
    data.time_s.push_back(100 + t);
    data.force_N.push_back(0.3 + drift_N_per_s * t + press + 2e-3 * random.normal());
    data.side_N[0].push_back(-0.1 + 0.05 * press);
    data.side_N[1].push_back(0.2);
  }
  data.peak = 1700;
  return data;
}

TEST(Tare, TakesBiasAndDriftOutOfEveryAxis) {
  auto data = drifting_press(0.002);
  const auto tare = find_tare(data);
  ASSERT_TRUE(tare) << tare.error().message;
  EXPECT_TRUE(tare->drift_known);
  EXPECT_NEAR(tare->bias_N[0], 0.3, 3e-4);
  EXPECT_NEAR(tare->drift_N_per_s[0], 0.002, 1e-4);
  EXPECT_NEAR(tare->moved_N, 0.002 * 3.4, 3e-4);
  EXPECT_NEAR(tare->sigma_N, 2e-3, 2e-4);
  apply_tare(*tare, data);
  EXPECT_NEAR(data.force_N[1700], 1, 7e-3);
  EXPECT_NEAR(data.side_N[0][1700], 0.05, 1e-12);
  EXPECT_NEAR(data.side_N[1][1700], 0, 1e-12);
}

TEST(Tare, IsAConstantWhereThePressEndsWithoutFreeAir) {
  const auto tare = find_tare(drifting_press(0.002, 0.2));
  ASSERT_TRUE(tare) << tare.error().message;
  EXPECT_FALSE(tare->drift_known);
  EXPECT_EQ(tare->drift_N_per_s[0], 0);
  EXPECT_NEAR(tare->bias_N[0], 0.3 + 0.002 * 0.54, 4e-4);  // middle of the window before
}

TEST(Tare, RefusesAPressThatBeginsInContact) {
  PressData data = drifting_press(0);
  for (auto* column : {&data.time_s, &data.force_N, &data.side_N[0], &data.side_N[1]})
    column->erase(column->begin(), column->begin() + 1250);
  const auto tare = find_tare(data);
  ASSERT_FALSE(tare);
  EXPECT_TRUE(tare.error().message.starts_with("RC-01")) << tare.error().message;
}

TEST(WrenchStage, LeavesNoBiasInWhatLaterStagesRead) {
  auto bench = synthetic::Bench::uniform(1, 2, 2);
  bench.free_s = 1.2;
  bench.force_bias_N = 0.4;
  bench.press_axis = "-z";
  const auto model = synthetic::Recording(bench).fit({"contact"});
  ASSERT_TRUE(model) << model.error().message;
  const auto& figures = model->quality.at("wrench").figures;
  EXPECT_EQ(figures.at("presses_tared"), 4);
  EXPECT_EQ(figures.at("presses_not_tared"), 0);
  EXPECT_NEAR(figures.at("noise_N"), 2e-3, 2e-4);
  EXPECT_NEAR(figures.at("noise_at_rest_N"), 2e-3, 4e-4);
  EXPECT_LT(figures.at("drift_largest_N_per_h"), 2);  // 2 mN over 1.2 s, twice
  for (const auto& press : model->presses) {
    EXPECT_EQ(press.verdict, "good") << press.why;
    EXPECT_NEAR(*press.peak_force_N, 1.5, 0.02);
  }
}

}  // namespace
}  // namespace tactelier
