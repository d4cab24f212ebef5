// Conditioning on the simulated pad of preset lab, whose virgin rubber is 5 to 15 % stiffer: what
// first presses show with it and without, and what recording and model say.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "app/workflow/fit_sessions.hpp"
#include "app/workflow/synth_session.hpp"
#include "libcalib/protocol/rig.hpp"
#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr int kSites = 5, kPasses = 3;

struct Recorded {
  SensorModel model;
  json info;
  std::string said;
};

Recorded record(std::uint64_t seed, const std::string& first_step, const char* preset = "clean") {
  const TestFolder folder;
  folder.write("rig.json", virtual_bench_rig().document);
  folder.write("part.json",
               R"({"format": "tactelier/protocol", "version": 1, "name": "part", "indenter":
                   {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
                   "steps": [{"do": "zero", "time_s": 5},
                   {"do": "plate", "force_N": 10, "speed_mm_s": 0.1},)" +
                   first_step +
                   R"({"do": "scan", "sites": 5, "speed_mm_s": 0.5, "until": {"depth_mm": 0.6},
                       "repeats": 3, "rest_s": 10}, {"do": "zero", "time_s": 5}]})");
  SynthRequest synth;
  synth.protocol = (folder / "part.json").string();
  synth.rig = (folder / "rig.json").string();
  synth.seed = seed;
  synth.preset = preset;
  synth.draw = {"none"};
  synth.target = folder / "pad.tact";
  const auto made = synth_session(synth, {});
  EXPECT_TRUE(made) << made.error().message;
  FitRequest fit;
  fit.sessions = {made->recording};
  fit.stages = {"stiffness"};
  const auto fitted = fit_sessions(fit, {});
  EXPECT_TRUE(fitted) << fitted.error().message;
  const auto shown = run_cli(folder.path(), {"info", "pad.tact", "--json"});
  EXPECT_EQ(shown.status, 0) << shown.err;
  return {fitted->model, json::parse(shown.out)["result"]["sessions"][0],
          run_cli(folder.path(), {"info", "pad.tact"}).out};
}

/// Peak force at one depth: the mean of first presses over that of later ones.
double first_over_later(const SensorModel& model) {
  std::map<std::string, int> passes;
  double first = 0, later = 0;
  for (const auto& press : model.presses) {
    if (!press.used) continue;
    const double peak_N = *press.peak_force_N;
    const int pass = passes[fmt::format("{:.2f} {:.2f}", *press.x_m * 1e3, *press.y_m * 1e3)]++;
    (pass == 0 ? first : later) += peak_N;
  }
  EXPECT_EQ(passes.size(), static_cast<std::size_t>(kSites));
  return first / later * (kPasses - 1);
}

TEST(Conditioning, FirstPressesAreStifferWithoutItAndLikeTheLaterOnesWithIt) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto without = record(seed, "", "lab");
    const auto with = record(seed, R"({"do": "condition", "rest_s": 30},)", "lab");
    EXPECT_GT(first_over_later(without.model), 1.03) << seed;
    EXPECT_NEAR(first_over_later(with.model), 1, 0.02) << seed;
    RecordProperty("without_" + std::to_string(seed),
                   std::to_string(first_over_later(without.model)));
    RecordProperty("with_" + std::to_string(seed), std::to_string(first_over_later(with.model)));
  }
}

TEST(Conditioning, RecordingAndModelSayWhetherItWasDone) {
  const auto with = record(4, R"({"do": "condition", "cycles": 2, "rest_s": 20},)");
  EXPECT_TRUE(with.model.conditions.conditioned);
  EXPECT_EQ(with.model.conditions.conditioning_cycles, 2);
  EXPECT_NEAR(with.model.conditions.conditioning_depth_m.value_or(0), 0.72e-3, 1e-9);
  ASSERT_EQ(with.info["findings"].size(), 1U);
  EXPECT_EQ(with.info["findings"][0]["data"]["sites"], kSites);
  EXPECT_THAT(with.said, HasSubstr("conditioned: 2 cycles at 5 places to 0.72 mm, 20 s of rest"));
  EXPECT_EQ(with.info["presses_usable"], kSites * kPasses);
  int left_out = 0;
  for (const auto& press : with.model.presses) {
    if (press.used) continue;
    ++left_out;
    EXPECT_THAT(press.why, HasSubstr("OUTCOME pressed to condition the rubber"));
  }
  EXPECT_EQ(left_out, kSites);
  const auto without = record(4, "");
  EXPECT_FALSE(without.model.conditions.conditioned);
  EXPECT_TRUE(without.info["findings"].empty());
  // Other places than those that count are no conditioning of these.
  const auto elsewhere =
      record(4, R"({"do": "condition", "sites": ["centre"], "depth_mm": 0.72, "rest_s": 0},)");
  EXPECT_FALSE(elsewhere.model.conditions.conditioned);
  EXPECT_EQ(elsewhere.model.conditions.conditioning_cycles, 3);
}

TEST(Conditioning, PressesThatAreChosenLaterNeedAStatedOne) {
  const TestFolder folder;
  folder.write("open.json",
               R"({"format": "tactelier/protocol", "version": 1, "name": "open",
                   "targets": "gain 5 %", "steps": [{"do": "zero", "time_s": 5},
                   {"do": "condition"}, {"do": "scan", "sites": 1, "speed_mm_s": 1,
                    "until": {"depth_mm": 0.5}}]})");
  const auto refused = run_cli(folder.path(), {"synth", "--protocol", "open.json", "-o", "x.tact"});
  EXPECT_NE(refused.status, 0);
  EXPECT_THAT(refused.err, HasSubstr("CONDITION-OPEN"));
  EXPECT_THAT(refused.err, HasSubstr("step 2 (condition)"));
}

}  // namespace
}  // namespace tactelier::test
