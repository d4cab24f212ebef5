// What checks the rig before it measures, on the simulated rig: the warm-up gate on a force whose
// zero warms up and drifts, the leaf spring behind a frame that gives.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "libcalib/protocol/rig_findings.hpp"
#include "tests/libcalib/synth/effect_recording.hpp"

namespace tactelier::synth {
namespace {

using nlohmann::json;
using testing::HasSubstr;

struct Run {
  std::vector<RigFinding> findings;
  Plan plan;
  std::string refused;

  json data() const { return findings.empty() ? json() : json::parse(findings[0].data); }
};

Run record(const pad::Effects& effects, const std::string& steps, const json& rig_changes = {},
           std::uint64_t seed = 1) {
  SynthSetup setup;
  setup.truth = elastic_pad();
  setup.effects = effects;
  setup.preset = "one effect";
  setup.seed = seed;
  setup.protocol =
      parse_protocol(R"({"format": "tactelier/protocol", "version": 1, "name": "check", "indenter":
                         {"shape": "cylinder", "diameter_mm": 1}, "steps": [)" +
                         steps + "]}",
                     "check.json")
          .value();
  auto rig = json::parse(virtual_bench_rig().document);
  if (!rig_changes.is_null()) rig.merge_patch(rig_changes);
  setup.rig = parse_rig(rig.dump(), "rig").value();
  const auto bench = SimulatedBench::create(setup);
  if (!bench) return {{}, {}, bench.error().message};
  Run run{{}, bench->plan(), {}};
  const auto file =
      std::filesystem::path(testing::TempDir()) /
      (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".tact");
  std::filesystem::remove(file);
  const auto made = bench->record(file, {});
  if (!made) {
    run.refused = made.error().message;
    return run;
  }
  const auto session = Session::open(file).value();
  run.findings = rig_findings(session.events()).value();
  return run;
}

/// As preset lab's force, at a tenth of its rate: 10 mN of noise a hundred times a second.
pad::Effects noisy_force() {
  auto effects = pad::no_effects();
  effects.force.rate_hz = 100;
  effects.force.noise_N = 10e-3;
  return effects;
}

constexpr const char* kWait = R"({"do": "warm_up", "at_most_s": 1500})";

TEST(WarmUp, WaitsUntilTheZeroOfAColdForceSensorHasFallenBelowTheLimit) {
  // 80 mN with 250 s: 19 mN/min at first, 2 mN/min after 250 ln(9.6) = 565 s.
  auto effects = noisy_force();
  effects.force.warm_up_N = 80e-3;
  effects.force.warm_up_s = 250;
  const auto run = record(effects, kWait);
  ASSERT_EQ(run.findings.size(), 1U) << run.refused;
  EXPECT_EQ(run.findings[0].what, "warm_up");
  EXPECT_TRUE(run.findings[0].good);
  EXPECT_THAT(run.findings[0].text, HasSubstr("warm after"));
  EXPECT_GT(run.data()["waited_s"].get<double>(), 565);
  EXPECT_LT(run.data()["waited_s"].get<double>(), 565 + 350);
}

TEST(WarmUp, AWarmRigIsLetThroughAsSoonAsNoiseAllowsIt) {
  const auto run = record(noisy_force(), kWait);
  ASSERT_EQ(run.findings.size(), 1U) << run.refused;
  EXPECT_TRUE(run.findings[0].good);
  // Means of a second scatter by 1 mN: u is 7.4e-6 N/s after a minute, 2 mN/min are 33e-6.
  EXPECT_LT(run.data()["waited_s"].get<double>(), 110);
}

TEST(WarmUp, ADriftThatStaysIsToldAndEndsTheRunWhereItMust) {
  auto effects = noisy_force();
  effects.force.drift_N_per_s = 4e-3 / 60;
  const auto run = record(effects, R"({"do": "warm_up", "at_most_s": 300})");
  ASSERT_EQ(run.findings.size(), 1U) << run.refused;
  EXPECT_FALSE(run.findings[0].good);
  EXPECT_THAT(run.findings[0].text, HasSubstr("not warm after 300 s"));
  EXPECT_NEAR(std::abs(run.data()["drift_mN_per_min"].get<double>()), 4, 0.5);
  const auto ended = record(effects, R"({"do": "warm_up", "at_most_s": 300, "required": true})");
  EXPECT_THAT(ended.refused, HasSubstr("NOT-WARM force zero drifts"));
}

TEST(WarmUp, TheArraysTemperatureCountsWhereItIsRecorded) {
  // 1 K over an hour: 0.105 K/min at first.
  auto effects = noisy_force();
  effects.reading.temperature_swing_K = 1;
  const auto run = record(effects, R"({"do": "warm_up", "temperature_K_per_min": 0.05,
                                       "at_most_s": 200})");
  ASSERT_EQ(run.findings.size(), 1U) << run.refused;
  EXPECT_FALSE(run.findings[0].good);
  EXPECT_NEAR(std::abs(run.data()["temperature_K_per_min"].get<double>()), 0.105, 0.03);
}

TEST(WarmUp, ThePlanCountsAMinuteAndTheTableSaysSo) {
  const auto run = record(noisy_force(), kWait);
  EXPECT_NEAR(run.plan.steps[0].duration_s, 61, 2);
  EXPECT_THAT(run.plan.steps[0].what, HasSubstr("at most 25 min (counted: 60 s)"));
}

const json kSpringRig{{"leaf_spring",
                       {{"top_mm", {60, 40, 5}},
                        {"stiffness_N_per_mm", 2.0},
                        {"u_percent", 1.0},
                        {"max_force_N", 5}}}};
constexpr const char* kSpring =
    R"({"do": "zero", "time_s": 2}, {"do": "spring", "force_N": 2, "speed_mm_s": 0.2})";

/// A frame of 12 um/N whose joints give 4 um more at first, stated as 12 um/N.
pad::Effects giving_frame() {
  auto effects = noisy_force();
  effects.compliance.linear_m_per_N = 12e-6;
  effects.compliance.seating_m = 4e-6;
  return effects;
}

TEST(LeafSpring, AgreesWhereForceDepthAndComplianceAreRight) {
  auto rig = kSpringRig;
  rig["compliance_um_per_N"] = 12;
  const auto run = record(giving_frame(), kSpring, rig);
  ASSERT_EQ(run.findings.size(), 1U) << run.refused;
  EXPECT_TRUE(run.findings[0].good) << run.findings[0].text;
  EXPECT_NEAR(run.data()["stiffness_N_per_mm"].get<double>(), 2, 0.02);
  EXPECT_EQ(run.data()["points"], 15);
  EXPECT_THAT(run.findings[0].text, HasSubstr("they agree"));
}

TEST(LeafSpring, NamesASpringAFrameOrAForceThatIsNotAsStated) {
  auto rig = kSpringRig;
  rig["compliance_um_per_N"] = 12;
  auto softer = rig;
  softer["truth"]["leaf_spring_N_per_mm"] = 1.9;
  EXPECT_FALSE(record(giving_frame(), kSpring, softer).findings.at(0).good);
  // The frame unstated: 12 um/N of 512 um/N are 2.4 %.
  const auto unstated = record(giving_frame(), kSpring, kSpringRig);
  ASSERT_EQ(unstated.findings.size(), 1U) << unstated.refused;
  EXPECT_FALSE(unstated.findings[0].good) << unstated.findings[0].text;
  EXPECT_NEAR(unstated.data()["stiffness_N_per_mm"].get<double>(), 1 / 0.512, 0.01);
}

TEST(LeafSpring, WithoutOneInTheRigFileItIsLeftOutAndSaid) {
  const auto run = record(noisy_force(), kSpring);
  EXPECT_TRUE(run.findings.empty());
  EXPECT_TRUE(std::any_of(run.plan.warnings.begin(), run.plan.warnings.end(),
                          [](const Warning& warning) { return warning.code == "NO-SPRING"; }));
}

TEST(LeafSpring, IsNotPressedHarderThanItStands) {
  const auto run =
      record(noisy_force(), R"({"do": "spring", "force_N": 6, "speed_mm_s": 0.2})", kSpringRig);
  EXPECT_THAT(run.refused, HasSubstr("force_N 6 is more than the leaf spring stands, 5 N"));
}

}  // namespace
}  // namespace tactelier::synth
