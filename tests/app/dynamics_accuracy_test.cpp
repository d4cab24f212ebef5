// Friction, damping and relaxation of simulated pads with drawn truths, through `synth` and `fit`.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/workflow/fit_sessions.hpp"
#include "app/workflow/synth_session.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/text_file.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier::test {
namespace {

constexpr const char* kHead =
    R"({"format": "tactelier/protocol", "version": 1, "name": "part", "description": "x",
        "max_minutes": 60, "indenter": )";
constexpr const char* kBall = R"({"id": "ball10", "shape": "sphere", "diameter_mm": 10.0},)";
constexpr const char* kPin = R"({"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},)";

struct Pair {
  SensorModel fitted, truth;
  double backlash_um = 0;
};

Pair synthesise_and_fit(const std::string& protocol, std::uint64_t seed, const std::string& stage,
                        const std::vector<std::string>& draw = {},
                        const std::string& preset = "clean", const std::string& rig = "") {
  const TestFolder folder;
  folder.write("part.json", protocol);
  SynthRequest synth;
  if (!rig.empty()) {
    folder.write("rig.json", rig);
    synth.rig = folder / "rig.json";
  }
  synth.protocol = (folder / "part.json").string();
  synth.seed = seed;
  synth.preset = preset;
  synth.draw = draw;
  synth.target = folder / "pad.tact";
  const auto made = synth_session(synth, {});
  EXPECT_TRUE(made) << made.error().message;
  if (!made) return {};
  FitRequest fit;
  fit.sessions = {made->recording};
  fit.stages = {stage};
  const auto fitted = fit_sessions(fit, {});
  const auto truth = read_model(made->truth);
  EXPECT_TRUE(fitted) << fitted.error().message;
  EXPECT_TRUE(truth) << truth.error().message;
  if (!fitted || !truth) return {};
  Pair pair{fitted->model, *truth};
  if (preset != "clean")
    pair.backlash_um = nlohmann::json::parse(
        folder.read("pad.rig-truth.json"))["truth"]["constants"]["backlash_um"];
  return pair;
}

void within(const Parameter& fitted, const Parameter& truth, double relative, const char* name,
            std::uint64_t seed) {
  ASSERT_TRUE(fitted.identified()) << name << ": " << fitted.reason;
  ASSERT_TRUE(truth.value) << name;
  EXPECT_NEAR(*fitted.value, *truth.value, relative * *truth.value) << name << ", seed " << seed;
}

const std::string kSlides = std::string(kHead) + kBall + R"("steps": [{"do": "zero", "time_s": 5},
      {"do": "slide", "load_N": 1, "speeds_mm_s": [0.5, 1, 2, 4, 6, 9, 12, 18], "length_mm": 8,
       "directions_deg": [90, 270]},
      {"do": "preslide", "load_N": 1, "amplitude_mm": 0.02, "frequencies_hz": [1, 5], "time_s": 10},
      {"do": "zero", "time_s": 2}]})";

TEST(DynamicsAccuracy, FrictionOfCleanPadsIsWithinItsGoals) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto pair = synthesise_and_fit(kSlides, seed, "friction");
    const auto& found = pair.fitted.friction.contact;
    const auto& truth = pair.truth.friction.contact;
    within(found.mu_s, truth.mu_s, 0.02, "mu_s", seed);
    within(found.mu_d, truth.mu_d, 0.02, "mu_d", seed);
    within(found.v_s, truth.v_s, 0.08, "v_s", seed);
    within(found.sigma0, truth.sigma0, 0.05, "sigma0", seed);
    within(found.sigma1, truth.sigma1, 0.15, "sigma1", seed);
  }
}

/// Bristles that nothing shows settle at once in the fit, and would answer to the noise of a force
/// that the rig's compliance is taken off by: mu_s 1.5 % high, held by none of five.
TEST(DynamicsAccuracy, FrictionOfSlidesAloneIsFoundOnARigThatGivesAlongTheSurface) {
  auto rig = nlohmann::json::parse(
      read_text_file(paths::source_dir() + "/data/rigs/virtual-bench.json", 1U << 20U).value());
  rig["shear_compliance_um_per_N"] = 50;
  const auto slides = std::string(kHead) + kBall + R"("steps": [{"do": "zero", "time_s": 5},
      {"do": "slide", "load_N": 1, "speeds_mm_s": [0.5, 1, 2, 4, 6, 9, 12, 18], "length_mm": 8,
       "directions_deg": [90, 270]}, {"do": "zero", "time_s": 2}]})";
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto pair = synthesise_and_fit(slides, seed, "friction", {}, "clean", rig.dump());
    const auto& found = pair.fitted.friction.contact;
    const auto& truth = pair.truth.friction.contact;
    within(found.mu_s, truth.mu_s, 0.005, "mu_s", seed);
    within(found.mu_d, truth.mu_d, 0.01, "mu_d", seed);
    within(found.v_s, truth.v_s, 0.01, "v_s", seed);
  }
}

/// A tip that swings with its motor takes all speeds in each slide; a rig of unknown shear
/// compliance hides the bristles.
TEST(DynamicsAccuracy, FrictionOfALaboratoryStageIsFoundWhereItShows) {
  const auto pair = synthesise_and_fit(kSlides, 1, "friction", {}, "lab");
  const auto& found = pair.fitted.friction.contact;
  const auto& truth = pair.truth.friction.contact;
  ASSERT_TRUE(found.mu_d.identified()) << found.mu_d.reason;
  EXPECT_NEAR(*found.mu_d.value, *truth.mu_d.value, *found.mu_d.u_total);
  // One load, 16 slides whose lines begin late: 3.0 % off where 17 % are stated.
  within(found.mu_d, truth.mu_d, 0.035, "mu_d", 1);
  ASSERT_TRUE(found.v_s.identified()) << found.v_s.reason;
  EXPECT_NEAR(*found.v_s.value, *truth.v_s.value, *found.v_s.u_total);
  for (const auto* parameter : {&found.sigma0, &found.sigma1}) {
    EXPECT_FALSE(parameter->value);
    EXPECT_TRUE(parameter->reason.starts_with("FR-")) << parameter->reason;
  }
}

const std::string kPlate = R"({"do": "plate", "force_N": 15, "speed_mm_s": 0.1, "repeats": 3},)";

std::string speeds(const std::string& before) {
  return std::string(kHead) + kPin + R"("steps": [{"do": "zero", "time_s": 5},)" + before +
         R"({"do": "speeds", "sites": ["centre"], "depth_mm": 1.0,
             "speeds_mm_s": [0.1, 0.3, 1, 3], "repeats": 2}, {"do": "zero", "time_s": 2}]})";
}

const std::string kSpeeds = speeds("");

TEST(DynamicsAccuracy, DampingOfCleanPadsIsTheRightModelWithinItsGoal) {
  int kelvin_voigt = 0, hunt_crossley = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto pair = synthesise_and_fit(kSpeeds, seed, "damping");
    const auto& truth = pair.truth.damping;
    const auto& found = pair.fitted.damping;
    // At one place of a pad whose stiffness, and c_n with it, scatters by 2 %.
    if (truth.c_n.value) within(found.c_n, truth.c_n, 0.07, "c_n", seed);
    if (truth.dissipation.value)
      within(found.dissipation, truth.dissipation, 0.05, "dissipation", seed);
    kelvin_voigt += found.c_n.value ? 1 : 0;
    hunt_crossley += found.dissipation.value ? 1 : 0;
  }
  EXPECT_GT(kelvin_voigt, 0);
  EXPECT_GT(hunt_crossley, 0);
  EXPECT_EQ(kelvin_voigt + hunt_crossley, 4);
}

TEST(DynamicsAccuracy, DampingOfALaboratoryRigIsRefused) {
  const auto pair = synthesise_and_fit(speeds(kPlate), 2, "damping", {"none"}, "lab");
  EXPECT_TRUE(pair.fitted.damping.c_n.reason.starts_with("DP-05"))
      << pair.fitted.damping.c_n.reason;
}

TEST(DynamicsAccuracy, DampingOfARigThatNobodyMeasuredIsRefused) {
  const auto pair = synthesise_and_fit(kSpeeds, 2, "damping", {}, "lab");
  EXPECT_TRUE(pair.fitted.damping.c_n.reason.starts_with("RC-06"))
      << pair.fitted.damping.c_n.reason;
}

TEST(DynamicsAccuracy, DampingOfAPadThatRelaxesUnseenIsOnlyDescriptive) {
  const auto pair = synthesise_and_fit(kSpeeds, 2, "damping", {"relaxation"});
  const auto& quality = pair.fitted.quality.at("damping");
  const bool said = std::any_of(quality.warnings.begin(), quality.warnings.end(),
                                [](const auto& warning) { return warning.code == "ID-07"; });
  EXPECT_TRUE(said);
  EXPECT_FALSE(pair.fitted.relaxation.g_inf.value);  // no hold was recorded
}

const std::string kPresses = std::string(kHead) + kPin + R"("steps": [{"do": "zero", "time_s": 5},
      {"do": "scan", "sites": ["centre"], "speed_mm_s": 0.3, "repeats": 3,
       "until": {"saturated": true, "force_N": 3, "depth_mm": 1.5}},
      {"do": "speeds", "sites": ["centre"], "depth_mm": 1.0, "speeds_mm_s": [0.3, 1, 3],
       "repeats": 2},
      {"do": "repeat", "times": 2, "steps": [
        {"do": "hold", "sites": ["centre"], "depth_mm": 0.5, "ramp_s": 0.2, "time_s": 20},
        {"do": "hold", "sites": ["centre"], "depth_mm": 1.0, "ramp_s": 0.2, "time_s": 20}]},
      {"do": "zero", "time_s": 2}]})";

const Parameter& of_tactel_pressed(const SensorModel& model) {
  const auto& all = model.stiffness.k_punch_tactel;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [](const auto& parameter) { return parameter.identified(); });
  return found == all.end() ? all.front() : *found;
}

// A press of such a pad at 0.3 mm/s looks a seventh stiffer than at rest.
TEST(DynamicsAccuracy, StiffnessOfAPadThatRelaxesIsTheLongTimeOne) {
  for (const std::uint64_t seed : {2U, 4U}) {
    const auto pair = synthesise_and_fit(kPresses, seed, "joint", {"relaxation"});
    const auto& found = of_tactel_pressed(pair.fitted);
    const auto at = static_cast<std::size_t>(&found - pair.fitted.stiffness.k_punch_tactel.data());
    const auto& truth = pair.truth.stiffness.k_punch_tactel[at];
    within(found, truth, 0.005, "k_punch_tactel", seed);
    EXPECT_GT(pair.fitted.quality.at("joint").figures.at("k_punch_over_long_time"), 1.03);
    EXPECT_GE((*found.ci95)[1], *truth.value);
    EXPECT_LE((*found.ci95)[0], *truth.value);
  }
}

// A stage that reports ten times a second: the ramp of a hold is computed from the line sent.
TEST(DynamicsAccuracy, RelaxationIsFoundOnALaboratoryRig) {
  const auto pair = synthesise_and_fit(kPresses, 4, "joint", {"relaxation"}, "lab");
  const auto& found = pair.fitted.relaxation;
  const auto& truth = pair.truth.relaxation;
  ASSERT_EQ(found.tau.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    ASSERT_TRUE(found.tau[k].u_total && found.g[k].u_total);
    EXPECT_NEAR(*found.tau[k].value, *truth.tau[k].value, *found.tau[k].u_total);
    // Its interval is too narrow on this drawn rig, untraced (docs/accuracy-lab.md).
    EXPECT_NEAR(*found.g[k].value, *truth.g[k].value, 0.06 * *truth.g[k].value);
    EXPECT_LT(*found.tau[k].u_total, 0.25 * *truth.tau[k].value);
  }
  EXPECT_TRUE(pair.fitted.quality.at("joint").warnings.empty());
}

std::string scans(const std::string& after) {
  return std::string(kHead) + kPin + R"("steps": [{"do": "zero", "time_s": 5},)" + kPlate +
         R"({"do": "scan", "sites": ["centre", "edges"], "speed_mm_s": 2,
             "until": {"saturated": true, "force_N": 3, "depth_mm": 1.5}},)" +
         after + R"({"do": "zero", "time_s": 2}]})";
}

double half_width(const Parameter& parameter) {
  return std::max(*parameter.u_total, ((*parameter.ci95)[1] - (*parameter.ci95)[0]) / 2);
}

bool says_not_at_rest(const SensorModel& model) {
  const auto& warnings = model.quality.at("joint").warnings;
  return std::any_of(warnings.begin(), warnings.end(),
                     [](const auto& warning) { return warning.code == "NOT-AT-REST"; });
}

// Presses of a third of a second look a quarter stiffer than at rest, and nothing else was done.
TEST(DynamicsAccuracy, StiffnessOfAPadThatRelaxesUnseenReachesToRest) {
  for (const std::string preset : {"clean", "lab"}) {
    const auto pair = synthesise_and_fit(scans(""), 3, "joint", {"relaxation"}, preset);
    const auto& found = pair.fitted.stiffness.k_punch;
    const double truth = *pair.truth.stiffness.k_punch.value;
    ASSERT_TRUE(found.identified()) << found.reason;
    EXPECT_GT(*found.value, 1.1 * truth) << preset;
    EXPECT_NEAR(*found.value, truth, half_width(found)) << preset;
    EXPECT_TRUE(says_not_at_rest(pair.fitted)) << preset;
  }
}

TEST(DynamicsAccuracy, LoopsOfAPadThatDoesNotRelaxBoundItsStiffness) {
  for (const std::uint64_t seed : {1U, 2U}) {  // damped in both ways
    const auto pair = synthesise_and_fit(scans(""), seed, "joint", {"none"});
    const auto& found = pair.fitted.stiffness.k_punch;
    EXPECT_NEAR(*found.value, *pair.truth.stiffness.k_punch.value, half_width(found)) << seed;
    EXPECT_LT(half_width(found), 0.13 * *found.value) << seed;  // 11 % for virgin rubber
  }
}

TEST(DynamicsAccuracy, RestsOfAStaircaseTellTheStiffnessAtRest) {
  const auto protocol = scans(R"({"do": "staircase", "sites": ["centre"], "dwell_s": 2,
                                  "depths_mm": [0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4]},)");
  const auto pair = synthesise_and_fit(protocol, 3, "joint", {"relaxation"});
  const auto& found = pair.fitted.stiffness.k_punch;
  const double truth = *pair.truth.stiffness.k_punch.value;
  EXPECT_NEAR(*found.value, truth, half_width(found));
  EXPECT_LT(half_width(found), 0.13 * truth);  // 11 % for rubber pressed once
  EXPECT_FALSE(says_not_at_rest(pair.fitted));
}

// A ramp of ten seconds hides the pad's faster time, 0.1 to 0.5 s, and most of its fall.
TEST(DynamicsAccuracy, SaysThatStiffnessIsNotTheLongTimeOneWhereRelaxationIsHidden) {
  auto presses = kPresses;
  for (std::size_t at = 0; (at = presses.find("\"ramp_s\": 0.2", at)) != presses.npos; ++at)
    presses.replace(at, 13, "\"ramp_s\": 10");
  const auto pair = synthesise_and_fit(presses, 4, "joint", {"relaxation"}, "lab");
  EXPECT_TRUE(pair.fitted.relaxation.g_inf.reason.starts_with("DP-03"))
      << pair.fitted.relaxation.g_inf.reason;
  const auto& warnings = pair.fitted.quality.at("joint").warnings;
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].code, "NOT-AT-REST");
}

TEST(DynamicsAccuracy, JointFitOfAPadThatRelaxesFindsItsDamping) {
  const auto pair = synthesise_and_fit(kPresses, 4, "joint", {"relaxation"});
  const auto& found = pair.fitted.damping.dissipation;
  within(found, pair.truth.damping.dissipation, 0.03, "dissipation", 4);
  EXPECT_EQ(found.from, "joint");
  EXPECT_EQ(pair.fitted.relaxation.tau.size(), 2U);
  EXPECT_EQ(pair.fitted.relaxation.g_inf.from, "joint");
  // dissipation, g_inf, two g, two tau
  ASSERT_FALSE(pair.fitted.covariance.empty());
  EXPECT_EQ(pair.fitted.covariance.back().parameters.size(), 6U);
  EXPECT_LT(pair.fitted.quality.at("joint").figures.at("correlation dissipation g[0]"), -0.3);
}

// c_n is a thousandth of a second of stiffness here: half a sample of delay would be a quarter.
TEST(DynamicsAccuracy, JointFitTellsALittleDampingFromRelaxation) {
  const auto pair = synthesise_and_fit(kPresses, 2, "joint", {"relaxation"});
  const auto& found = pair.fitted.damping.c_n;
  ASSERT_TRUE(found.identified()) << found.reason;
  EXPECT_EQ(found.from, "joint");
  const double here = *of_tactel_pressed(pair.fitted).value / *pair.truth.stiffness.k_punch.value;
  EXPECT_NEAR(*found.value, here * *pair.truth.damping.c_n.value, 0.08 * *found.value);
}

TEST(DynamicsAccuracy, PressureFieldOfABallIsWithinItsGoals) {
  const auto protocol = std::string(kHead) + kBall + R"("steps": [{"do": "zero", "time_s": 5},
        {"do": "speeds", "sites": 6, "depth_mm": 0.8, "speeds_mm_s": [0.2, 1, 4], "repeats": 2},
        {"do": "zero", "time_s": 2}]})";
  int dissipative = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto pair = synthesise_and_fit(protocol, seed, "hydroelastic");
    const auto& figures = pair.fitted.quality.at("hydroelastic").figures;
    const auto name = "K_f_Pa_per_m with sphere 10 mm";
    ASSERT_TRUE(figures.contains(name)) << "seed " << seed;
    const double truth = *pair.truth.stiffness.foundation_modulus.value;
    EXPECT_NEAR(figures.at(name), truth, 0.03 * truth) << "seed " << seed;
    const auto& found = pair.fitted.hydroelastic;
    // The description of this sensor states no thickness.
    EXPECT_TRUE(found.modulus.reason.starts_with("NO-THICKNESS")) << found.modulus.reason;
    const auto& known = pair.truth.damping.dissipation;
    if (known.value) within(found.dissipation, known, 0.02, "dissipation", seed);
    dissipative += known.value ? 1 : 0;
    if (!known.value) {
      EXPECT_TRUE(found.dissipation.reason.starts_with("OTHER-MODEL"));
    }
  }
  EXPECT_GT(dissipative, 0);
}

std::string ball_presses(const std::string& before, const std::string& speeds_mm_per_s) {
  return std::string(kHead) + kBall + R"("steps": [{"do": "zero", "time_s": 5},)" + before +
         R"({"do": "speeds", "sites": 6, "depth_mm": 0.8, "speeds_mm_s": )" + speeds_mm_per_s +
         R"(, "repeats": 2}, {"do": "zero", "time_s": 2}]})";
}

// As `standard` presses it: at one speed a motor's steps may come as it rings.
const std::string kPlates =
    R"({"do": "plate", "force_N": 15, "speed_mm_s": 0.09, "repeats": 2},
       {"do": "plate", "force_N": 15, "speed_mm_s": 0.07, "repeats": 2},)";

// The stage says ten times a second where it is, with some play; the rig bends by a part of the
// travel.
TEST(DynamicsAccuracy, PressureFieldOfALaboratoryRigComesFromItsSlowPresses) {
  const auto name = "K_f_Pa_per_m with sphere 10 mm";
  for (std::uint64_t seed : {2, 5}) {
    const auto pair = synthesise_and_fit(ball_presses(kPlates, "[0.2, 1, 4]"), seed, "hydroelastic",
                                         {"none"}, "lab");
    const auto& quality = pair.fitted.quality.at("hydroelastic");
    ASSERT_TRUE(quality.figures.contains(name)) << "seed " << seed;
    const double truth = *pair.truth.stiffness.foundation_modulus.value;
    EXPECT_NEAR(quality.figures.at(name), truth, 0.04 * truth) << "seed " << seed;
    EXPECT_EQ(std::count_if(quality.warnings.begin(), quality.warnings.end(),
                            [](const auto& warning) { return warning.code == "TOO-FAST"; }),
              24);
    EXPECT_NEAR(pair.fitted.quality.at("contact").figures.at("backlash_um"), pair.backlash_um, 3);
  }
}

// Tape gives under the pad alone, where no plate shows it: 0.79 and 0.99 um/N, which are 3 and 4 %
// of the modulus.
TEST(DynamicsAccuracy, PressureFieldOfAPadOnTapeIsThatOfThePad) {
  for (std::uint64_t seed : {3, 7}) {
    const auto pair =
        synthesise_and_fit(ball_presses(kPlates, "[0.2]"), seed, "hydroelastic", {"none"}, "lab");
    const auto& figures = pair.fitted.quality.at("hydroelastic").figures;
    const double truth = *pair.truth.stiffness.foundation_modulus.value;
    EXPECT_NEAR(figures.at("K_f_Pa_per_m with sphere 10 mm"), truth, 0.045 * truth) << seed;
    EXPECT_GT(figures.at("series_um_per_N with sphere 10 mm"), 0.3) << seed;
  }
}

// What a pad of which nothing was held loses until rest stands in its interval.
TEST(DynamicsAccuracy, PressureFieldOfAPadThatNobodyHeldReachesDownToRest) {
  const auto pair =
      synthesise_and_fit(ball_presses(kPlates, "[0.2]"), 3, "hydroelastic", {"relaxation"}, "lab");
  const auto& found = pair.fitted.stiffness.foundation_modulus;
  const double truth = *pair.truth.stiffness.foundation_modulus.value;
  EXPECT_GT(*found.value, 1.05 * truth);
  EXPECT_NEAR(*found.value, truth, *found.u_total);
  const auto& warnings = pair.fitted.quality.at("hydroelastic").warnings;
  EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(),
                          [](const auto& warning) { return warning.code == "NOT-AT-REST"; }));
  const auto clean = synthesise_and_fit(ball_presses(kPlates, "[0.2, 1, 4]"), 3, "hydroelastic");
  const auto& sure = clean.fitted.stiffness.foundation_modulus;
  EXPECT_LT(*sure.u_total, 0.05 * *sure.value);  // its loops say that it does not relax
}

TEST(DynamicsAccuracy, PressureFieldOfARigThatNobodyMeasuredIsRefused) {
  const auto pair = synthesise_and_fit(ball_presses("", "[0.2]"), 2, "hydroelastic", {}, "lab");
  const auto& modulus = pair.fitted.hydroelastic.modulus;
  EXPECT_FALSE(modulus.value);
  EXPECT_TRUE(modulus.reason.starts_with("RC-06")) << modulus.reason;
}

TEST(DynamicsAccuracy, RelaxationOfACleanPadIsWithinItsGoals) {
  const auto protocol = std::string(kHead) + kPin + R"("steps": [{"do": "zero", "time_s": 5},
        {"do": "repeat", "times": 2, "steps": [
          {"do": "hold", "sites": ["centre"], "depth_mm": 0.5, "ramp_s": 0.2, "time_s": 30},
          {"do": "hold", "sites": ["centre"], "depth_mm": 1.0, "ramp_s": 0.2, "time_s": 30}]},
        {"do": "zero", "time_s": 2}]})";
  const auto pair = synthesise_and_fit(protocol, 2, "relaxation", {"relaxation"});
  const auto& found = pair.fitted.relaxation;
  const auto& truth = pair.truth.relaxation;
  ASSERT_EQ(found.tau.size(), truth.tau.size());
  within(found.g_inf, truth.g_inf, 0.02, "g_inf", 2);
  for (std::size_t b = 0; b < truth.tau.size(); ++b) {
    within(found.tau[b], truth.tau[b], 0.1, "tau", 2);
    within(found.g[b], truth.g[b], 0.1, "g", 2);
  }
}

}  // namespace
}  // namespace tactelier::test
