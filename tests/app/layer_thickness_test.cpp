// The thickness of a simulated pad's layer, by touches of the ground beside it, through `synth` and
// `fit`; and the modulus of the pressure field, which needs it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/workflow/fit_sessions.hpp"
#include "app/workflow/synth_session.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/protocol/rig.hpp"
#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string kPresses = R"({"do": "plate", "force_N": 15, "speed_mm_s": 0.1, "repeats": 3},
    {"do": "speeds", "sites": 6, "depth_mm": 0.8, "speeds_mm_s": [0.2, 1, 4], "repeats": 2},)";
const std::string kGround = R"({"do": "ground", "force_N": 5, "speed_mm_s": 0.1, "repeats": 5},)";

struct Case {
  std::string steps = kPresses + kGround;
  std::string preset = "clean";
  std::uint64_t seed = 1;
  json rig{{"ground_mm", {0, -45}}};           // merged into the virtual bench's file
  std::optional<double> stated_thickness_m{};  // of the sensor description
};

struct Pair {
  SensorModel fitted, truth;
  std::string warnings() const {
    std::string text;
    for (const auto& warning : fitted.quality.at("hydroelastic").warnings)
      text += warning.code + " " + warning.text + "\n";
    return text;
  }
};

Pair synthesise_and_fit(const Case& wanted) {
  const TestFolder folder;
  auto rig = json::parse(virtual_bench_rig().document);
  rig.merge_patch(wanted.rig);
  folder.write("rig.json", rig.dump());
  folder.write("part.json",
               R"({"format": "tactelier/protocol", "version": 1, "name": "part", "indenter":
                   {"id": "ball10", "shape": "sphere", "diameter_mm": 10.0},
                   "steps": [{"do": "zero", "time_s": 5},)" +
                   wanted.steps + R"({"do": "zero", "time_s": 2}]})");
  SynthRequest synth;
  synth.protocol = (folder / "part.json").string();
  synth.rig = (folder / "rig.json").string();
  synth.seed = wanted.seed;
  synth.preset = wanted.preset;
  synth.draw = {"none"};
  synth.target = folder / "pad.tact";
  const auto made = synth_session(synth, {});
  EXPECT_TRUE(made) << made.error().message;
  if (!made) return {};
  FitRequest fit;
  fit.sessions = {made->recording};
  fit.stages = {"hydroelastic"};
  if (wanted.stated_thickness_m) {
    fit.options.sensor = load_sensor("weiss-wts0614").value();
    fit.options.sensor->thickness_m = wanted.stated_thickness_m;
  }
  const auto fitted = fit_sessions(fit, {});
  const auto truth = read_model(made->truth);
  EXPECT_TRUE(fitted) << fitted.error().message;
  EXPECT_TRUE(truth) << truth.error().message;
  if (!fitted || !truth) return {};
  return {fitted->model, *truth};
}

TEST(LayerThickness, IntervalsOfThicknessAndModulusHoldTheTruth) {
  for (const std::string preset : {"clean", "lab"})
    for (std::uint64_t seed : {2, 3}) {
      const auto pair = synthesise_and_fit({kPresses + kGround, preset, seed});
      const double true_m = *pair.truth.sensor.thickness_m;
      const auto& thickness = pair.fitted.hydroelastic.thickness;
      const auto where = preset + " " + std::to_string(seed);
      ASSERT_TRUE(thickness.identified()) << where << ": " << thickness.reason;
      EXPECT_NEAR(*thickness.value, true_m, *thickness.u_total) << where;
      EXPECT_NEAR(*thickness.value, true_m, 40e-6) << where;
      EXPECT_LT(*thickness.u_total, 0.04 * true_m) << where;
      const auto& modulus = pair.fitted.hydroelastic.modulus;
      ASSERT_TRUE(modulus.identified()) << where << ": " << modulus.reason;
      // The foundation modulus has tests of its own (and its errors on lab).
      const double per_metre = *pair.fitted.stiffness.foundation_modulus.value;
      EXPECT_NEAR(*modulus.value, per_metre * *thickness.value, 1e-6 * *modulus.value) << where;
      const double true_Pa = *pair.truth.stiffness.foundation_modulus.value * true_m;
      if (preset == "clean") {
        EXPECT_NEAR(*modulus.value, true_Pa, *modulus.u_total) << where;
      }
      // No better than the thickness is known.
      EXPECT_GT(*modulus.u_total / *modulus.value, *thickness.u_total / *thickness.value) << where;
    }
}

TEST(LayerThickness, WithoutGroundThePlanLeavesTheTouchesOutAndTheFitSaysWhatToRecord) {
  const auto pair = synthesise_and_fit({.rig = {{"ground_mm", nullptr}}});
  const auto& found = pair.fitted.hydroelastic;
  EXPECT_TRUE(found.modulus.reason.starts_with("NO-THICKNESS")) << found.modulus.reason;
  EXPECT_THAT(found.modulus.reason, HasSubstr("protocol thickness"));
}

TEST(LayerThickness, AStatedOneIsTakenAndAContradictionNamed) {
  const auto pair = synthesise_and_fit({.stated_thickness_m = 9e-3});
  EXPECT_EQ(pair.fitted.hydroelastic.thickness.value, 9e-3);
  EXPECT_THAT(pair.warnings(), HasSubstr("THICKNESS-DIFFERS The sensor description states a layer "
                                         "of 9.000 mm"));
  const double true_m = *pair.truth.sensor.thickness_m;
  const auto agreed = synthesise_and_fit({.stated_thickness_m = true_m});
  EXPECT_THAT(agreed.warnings(), Not(HasSubstr("THICKNESS-DIFFERS")));
}

TEST(LayerThickness, TouchesOfOnePlaceCannotContinueTheFace) {
  const auto pair = synthesise_and_fit(
      {R"({"do": "speeds", "sites": ["centre"], "depth_mm": 0.8, "speeds_mm_s": [0.2, 1],
           "repeats": 3},)" +
       kGround});
  const auto& thickness = pair.fitted.hydroelastic.thickness;
  EXPECT_TRUE(thickness.reason.starts_with("GROUND-NO-FACE")) << thickness.reason;
}

}  // namespace
}  // namespace tactelier::test
