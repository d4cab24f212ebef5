// Whole recordings on clocks of their own, made by the independent little rig: what is found is
// what was put in, and the later stages see no difference.
#include <gtest/gtest.h>

#include <cmath>

#include "fitting/recording/press_data.hpp"
#include "fitting/time/time.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "tests/fitting/support/synthetic_bench.hpp"

namespace tactelier {
namespace {

using synthetic::Bench;

bool covers(const Parameter& parameter, double truth) {
  return parameter.ci95 && (*parameter.ci95)[0] <= truth && truth <= (*parameter.ci95)[1];
}

/// Three speeds a factor 9 apart on every tactel, 12 ms latency, both devices on their own clocks.
Bench harsh_clocks() {
  auto bench = Bench::uniform(1, 2, 0);
  for (int repeat = 0; repeat < 3; ++repeat)
    for (int tactel = 0; tactel < 2; ++tactel)
      for (const double ramp_s : {0.25, 0.75, 2.25})
        bench.presses.push_back({.tactel = tactel, .kind = "speed", .ramp_s = ramp_s});
  bench.latency_s = 0.012;
  bench.force_clock = {.start_s = 512, .skew = 30e-6, .counter_bits = 32};
  bench.tactile_clock = {.start_s = 77, .skew = -900e-6, .jitter_s = 4e-3, .counter_bits = 8};
  return bench;
}

TEST(TimeStage, FindsClocksAndLatencyAndTheOtherStagesTheirNumbers) {
  const auto bench = harsh_clocks();
  const auto model = synthetic::Recording(bench).fit({});
  ASSERT_TRUE(model) << model.error().message;
  const auto& force = model->clock.at("force");
  const auto& tactile = model->clock.at("tactile");
  EXPECT_FALSE(model->clock.contains("stage"));
  EXPECT_TRUE(covers(force.skew, 1 / (1 + 30e-6) - 1)) << *force.skew.value;
  EXPECT_TRUE(covers(tactile.skew, 1 / (1 - 900e-6) - 1)) << *tactile.skew.value;
  EXPECT_TRUE(covers(force.offset, -512 + 1e-3)) << *force.offset.value;
  // At the first frame, 12 ms after host time 0: transport 1 ms, and the clock is slow.
  EXPECT_TRUE(covers(tactile.offset, -77 + 1e-3 + 0.012 * 900e-6)) << *tactile.offset.value;
  EXPECT_NEAR(*tactile.residual.value, 4e-3, 4e-4);
  EXPECT_TRUE(covers(model->timing.latency_s, 0.012))
      << model->timing.latency_s.reason << *model->timing.latency_s.value;
  EXPECT_LT(*model->timing.latency_s.std, 3e-4);
  const auto& quality = model->quality.at("time");
  EXPECT_EQ(quality.figures.count("tactile_missing"), 0u);
  EXPECT_GT(quality.figures.at("tactile_counter_wraps"), 30);
  ASSERT_FALSE(quality.warnings.empty());
  EXPECT_EQ(quality.warnings[0].code, "TA-01");  // 900 ppm
  for (const auto& tactel : model->response.tactels) {
    ASSERT_TRUE(tactel.press_gain.identified()) << tactel.press_gain.reason;
    EXPECT_TRUE(covers(tactel.press_gain, 5e-4));
    EXPECT_TRUE(covers(tactel.press_threshold, 0.2)) << *tactel.press_threshold.value;
  }
  ASSERT_TRUE(parse_model(to_json(*model), "model.json"));
}

TEST(TimeStage, TellsLatencyFromHysteresis) {
  auto bench = harsh_clocks();
  bench.hysteresis = 0.05;
  const auto model = synthetic::Recording(bench).fit({"time"});
  ASSERT_TRUE(model) << model.error().message;
  const auto& latency = model->timing.latency_s;
  ASSERT_TRUE(latency.identified()) << latency.reason;
  EXPECT_TRUE(covers(latency, 0.012)) << *latency.value << " +- " << *latency.std;
  const auto& warnings = model->quality.at("time").warnings;
  EXPECT_EQ(warnings.back().code, "TA-06") << warnings.back().text;
}

TEST(TimeStage, RefusesALatencyFromOneSpeed) {
  auto bench = Bench::uniform(1, 2, 4);
  bench.latency_s = 0.012;
  const auto model = synthetic::Recording(bench).fit({"time"});
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_FALSE(model->timing.latency_s.value);
  EXPECT_TRUE(model->timing.latency_s.reason.starts_with("TA-06"))
      << model->timing.latency_s.reason;
  EXPECT_NE(model->timing.latency_s.reason.find("protocol P5"), std::string::npos);
}

TEST(TimeStage, CountsLostFramesAndLeavesTheirGapOpen) {
  auto bench = harsh_clocks();
  bench.tactile_clock->gap_begin_s = 3.7;  // within the second press
  bench.tactile_clock->gap_end_s = 5.2;
  bench.force_clock->gap_begin_s = 8.0;
  bench.force_clock->gap_end_s = 9.0;
  const synthetic::Recording recording(bench);
  FitContext context;
  context.sessions = {recording.fit_session()};
  context.model = empty_model(recording.session().metadata().sensor);
  ASSERT_TRUE(run_time(context));
  const auto& figures = context.model.quality.at("time").figures;
  EXPECT_NEAR(figures.at("tactile_missing"), 300, 1);  // 1.5 s at 200 Hz
  EXPECT_NEAR(figures.at("force_missing"), 200, 1);
  for (std::size_t p = 0; p < 6; ++p) {
    const auto data = load_press(context, 0, p, std::array{0});
    if (!data) continue;
    for (const double t : data->time_s) {
      EXPECT_FALSE(t > 3.71 && t < 5.19) << t;
      EXPECT_FALSE(t > 8.01 && t < 8.99) << t;
    }
  }
}

}  // namespace
}  // namespace tactelier
