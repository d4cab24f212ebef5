// The point spread fitted to pads whose truth is known, and what becomes of recordings that cannot
// tell it.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

struct Made {
  json model, truth;
};

/// One recording made and fitted; `more` goes to synth. `status`: of the fit, 5 where no spread
/// shows.
Made make(const TestFolder& folder, const std::string& protocol, int seed,
          std::vector<std::string> more = {}, int status = 0) {
  std::vector<std::string> synth{"synth",  "--protocol",           protocol, "-o", "p.tact",
                                 "--seed", fmt::format("{}", seed)};
  synth.insert(synth.end(), more.begin(), more.end());
  const auto made = run_cli(folder.path(), synth);
  EXPECT_EQ(made.status, 0) << made.err;
  const auto fitted = run_cli(folder.path(), {"fit", "p.tact", "-o", "m.json", "--stages", "psf"});
  EXPECT_EQ(fitted.status, status) << fitted.err;
  Made result{json::parse(folder.read("m.json")), json::parse(folder.read("p.truth.json"))};
  for (const auto* name : {"p.tact", "p.truth.json", "p.rig-truth.json", "m.json"})
    std::filesystem::remove(folder.path() / name);
  return result;
}

double value(const json& parameter) { return parameter["value"].get<double>(); }

double relative_error(const json& fitted, const json& truth) {
  return std::abs(value(fitted) / value(truth) - 1);
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? NAN : values[values.size() / 2];
}

/// Errors of one parameter over the tactels where it is identified.
std::vector<double> tactel_errors(const Made& made, const char* name) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < made.truth["response"]["tactels"].size(); ++i) {
    const auto& fitted = made.model["response"]["tactels"][i][name];
    if (fitted["status"] == "identified")
      errors.push_back(relative_error(fitted, made.truth["response"]["tactels"][i][name]));
  }
  return errors;
}

std::vector<std::string> codes(const json& model) {
  std::vector<std::string> all;
  for (const auto& warning : model["quality"]["psf"]["warnings"]) all.push_back(warning["code"]);
  return all;
}

std::string protocol(const std::string& steps) {
  return R"({"format": "tactelier/protocol", "version": 1, "name": "p", "description": "",
             "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
             "steps": [{"do": "zero", "time_s": 2}, )" +
         steps + "]}";
}

double percentile_95(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? NAN : values[values.size() * 95 / 100];
}

/// By themselves the presses on each tactel say 9 and 11 %: each scatters as a whole, lies off the
/// centre and finds what others left in the rubber.
TEST(PsfOfSimulatedPads, TellsPressGainAndThresholdBetterThanTheTactelsOwnPresses) {
  const TestFolder folder;
  folder.write("p.json", protocol(R"(
      {"do": "scan", "tactels": "all", "speed_mm_s": 0.5,
       "until": {"saturated": true, "force_N": 3, "depth_mm": 1.5}},
      {"do": "scan", "sites": ["centre", "edges"], "speed_mm_s": 0.5, "repeats": 2,
       "until": {"saturated": true, "force_N": 3, "depth_mm": 1.5}},
      {"do": "raster", "area_mm": [-1.7, -1.7, 1.7, 1.7], "step_mm": 0.85, "depth_mm": 0.65})"));
  const auto made = make(folder, "p.json", 4, {"--preset", "lab"});
  EXPECT_GE(made.model["quality"]["response"]["figures"]["tactels_by_joint_fit"], 75);
  EXPECT_LT(percentile_95(tactel_errors(made, "press_gain")), 0.04);
  EXPECT_LT(percentile_95(tactel_errors(made, "press_threshold")), 0.05);
}

TEST(PsfOfSimulatedPads, LiesWithinTheTargetsOnShortRecordings) {
  const TestFolder folder;
  std::vector<double> sigma, gain, threshold;
  int inside = 0, all = 0;
  for (const int seed : {101, 102, 103, 104, 105}) {
    const auto made = make(folder, "study", seed);
    const auto& fitted = made.model["psf"]["sigma"];
    ASSERT_EQ(fitted["status"], "identified") << fitted;
    sigma.push_back(relative_error(fitted, made.truth["psf"]["sigma"]));
    const auto gains = tactel_errors(made, "gain"), thresholds = tactel_errors(made, "threshold");
    EXPECT_GE(gains.size(), 20u);
    gain.insert(gain.end(), gains.begin(), gains.end());
    threshold.insert(threshold.end(), thresholds.begin(), thresholds.end());
    for (std::size_t i = 0; i < made.truth["response"]["tactels"].size(); ++i) {
      const auto& own = made.model["response"]["tactels"][i]["gain"];
      if (own["status"] != "identified") continue;
      const double truth = value(made.truth["response"]["tactels"][i]["gain"]);
      inside += own["ci95"][0] <= truth && truth <= own["ci95"][1] ? 1 : 0;
      ++all;
    }
    EXPECT_EQ(made.model["psf"]["edge"], "zero");
    EXPECT_EQ(made.model["psf"]["form"], "integrated");
    EXPECT_THAT(codes(made.model), testing::Not(testing::Contains("ID-07")));
  }
  EXPECT_LE(median_of(sigma), 0.007);
  EXPECT_LE(median_of(gain), 0.01);
  EXPECT_LE(median_of(threshold), 0.05);
  EXPECT_GE(inside, 0.9 * all);
}

TEST(PsfOfSimulatedPads, FindsBothLengthsAndTheDirectionOfALongSpread) {
  const TestFolder folder;
  const auto made = make(folder, "study", 104, {"--draw", "anisotropic"});
  const auto& psf = made.model["psf"];
  EXPECT_LE(relative_error(psf["sigma_x"], made.truth["psf"]["sigma_x"]), 0.007);
  EXPECT_LE(relative_error(psf["sigma_y"], made.truth["psf"]["sigma_y"]), 0.007);
  EXPECT_NEAR(value(psf["theta"]), value(made.truth["psf"]["theta"]), 0.01);
  EXPECT_THAT(psf["sigma"]["reason"].get<std::string>(), StartsWith("NOT-ROUND"));
}

TEST(PsfOfSimulatedPads, SaysSoWhenTheTailsAreHeavierThanAGaussians) {
  const TestFolder folder;
  for (const int seed : {2, 106}) {  // chi^2 alone would pass 2
    const auto made = make(folder, "study", seed, {"--draw", "student"});
    EXPECT_THAT(codes(made.model), testing::Contains("ID-07")) << seed;
  }
}

TEST(PsfOfSimulatedPads, GivesUnpressedTactelsThePredictionOfTheArray) {
  const TestFolder folder;
  const auto made = make(folder, "study", 107);
  int predicted = 0, inside = 0;
  for (std::size_t i = 0; i < made.truth["response"]["tactels"].size(); ++i) {
    const auto& own = made.model["response"]["tactels"][i]["gain"];
    if (own["status"] != "predicted") continue;
    ++predicted;
    const double truth = value(made.truth["response"]["tactels"][i]["gain"]);
    inside += own["ci95"][0] <= truth && truth <= own["ci95"][1] ? 1 : 0;
  }
  EXPECT_GE(predicted, 40);
  EXPECT_GE(inside, 0.85 * predicted);
}

TEST(PsfOfStarvedRecordings, IsolatedCentredPressesDoNotSeparateSpreadAndGains) {
  const TestFolder folder;
  folder.write("isolated.json",
               protocol(R"({"do": "scan", "tactels": [14, 33, 51, 69], "speed_mm_s": 2,
                            "until": {"force_N": 3}})"));
  const auto made = make(folder, "isolated.json", 3, {}, 5);
  const auto reason = made.model["psf"]["sigma"]["reason"].get<std::string>();
  EXPECT_THAT(reason, StartsWith("PS-03 Presses lie on isolated tactel centres"));
  EXPECT_THAT(reason, HasSubstr("raster"));
  EXPECT_TRUE(made.model["response"]["tactels"][14]["gain"]["value"].is_null());
  EXPECT_EQ(made.model["response"]["tactels"][14]["press_gain"]["status"], "identified");
}

TEST(PsfOfStarvedRecordings, LightPressesDoNotShowTheSpread) {
  const TestFolder folder;
  folder.write("light.json",
               protocol(R"({"do": "scan", "tactels": [38, 39, 44, 45], "speed_mm_s": 0.5,
                            "until": {"force_N": 0.25}})"));
  const auto made = make(folder, "light.json", 3, {}, 5);
  const auto reason = made.model["psf"]["sigma"]["reason"].get<std::string>();
  EXPECT_THAT(reason, StartsWith("PS-01 No neighbour above trigger"));
}

}  // namespace
}  // namespace tactelier::test
