// A room that gets warmer while tactels are pressed: readings repeat within a press and from press to
// press, so that no interval of repetition sees it. Truth: the simulated array's gains.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/workflow/fit_sessions.hpp"
#include "libcalib/synth/synth.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/libcalib/pad/pad_fixtures.hpp"

namespace tactelier::test {
namespace {

constexpr const char* kScan =
    R"({"format": "tactelier/protocol", "version": 1, "name": "scan", "description": "x",
        "max_minutes": 30,
        "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
        "steps": [
          {"do": "zero", "time_s": 40},
          {"do": "scan", "tactels": [5, 6], "speed_mm_s": 1, "repeats": 5,
           "until": {"depth_mm": 0.5}},
          {"do": "zero", "time_s": 2}]})";
constexpr double kPerKelvin = -0.003;

/// Relative error of a gain, and how far off ci95 and u_total allow it to be.
struct Found {
  double error, ci95, u_total;
};

/// `swing_K` of an hour: after 50 s a twelfth of it.
Found gain_of(double swing_K) {
  synth::SynthSetup setup;
  setup.truth = pad::plain_truth();
  setup.truth.sensor = pad::grid_sensor(3, 4, 3.4e-3);
  setup.truth.tactels.resize(12, setup.truth.tactels[0]);
  setup.effects = pad::no_effects();
  setup.effects.force.noise_N = 2e-3;
  setup.effects.reading.noise_counts = 1;
  setup.effects.reading.quantised = true;
  setup.effects.reading.temperature_swing_K = swing_K;
  setup.effects.reading.temperature_per_K = kPerKelvin;
  setup.preset = "one effect";
  setup.protocol = parse_protocol(kScan, "scan.json").value();
  auto rig = nlohmann::json::parse(virtual_bench_rig().document);
  rig["force_sensor"]["certificate"]["gain_u_percent"] = 0.01;
  setup.rig = parse_rig(rig.dump(), "rig.json").value();
  const TestFolder folder;
  const auto file = folder / "pad.tact";
  const auto made = synth::SimulatedBench::create(setup).value().record(file, {});
  EXPECT_TRUE(made) << made.error().message;
  FitRequest fit;
  fit.sessions = {file};
  fit.stages = {"response"};
  const auto fitted = fit_sessions(fit, {});
  EXPECT_TRUE(fitted) << fitted.error().message;
  const double truth = 2e-4 / pad::centre_shares(setup.truth).value()[5];
  const auto& gain = fitted->model.response.tactels[5].press_gain;
  EXPECT_TRUE(gain.value && gain.ci95 && gain.u_total) << gain.reason;
  return {std::abs(*gain.value / truth - 1), ((*gain.ci95)[1] - (*gain.ci95)[0]) / 2 / truth,
          *gain.u_total / truth};
}

TEST(TemperatureBudget, HoldsWhatRepetitionCannotShow) {
  const auto warm = gain_of(24);
  EXPECT_GT(warm.error, 0.004);
  EXPECT_GT(warm.error, 2 * warm.ci95);  // left out, the interval misses
  EXPECT_LT(warm.error, warm.u_total);
  EXPECT_LT(warm.u_total, 0.02);
}

TEST(TemperatureBudget, IsNothingInARoomThatStaysAsItWas) {
  const auto steady = gain_of(0);
  EXPECT_LT(steady.error, steady.u_total);
  EXPECT_LT(steady.u_total, 0.003);
}

}  // namespace
}  // namespace tactelier::test
