// Pads and rigs that the fit cannot represent, and recordings that tell too little: intervals reach
// to the truth or a code says what is wrong, and nothing is made up. (Spreads with heavy tails and
// isolated presses: psf_accuracy_test.cpp.)

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/app/support/cli.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

struct Made {
  json model, truth;

  std::vector<std::string> codes(const std::string& stage) const {
    std::vector<std::string> all;
    for (const auto& warning : model["quality"][stage]["warnings"]) all.push_back(warning["code"]);
    return all;
  }
};

Made make(const TestFolder& folder, const std::string& protocol, const std::string& stages,
          std::vector<std::string> more = {}) {
  std::vector<std::string> synth{"synth", "--protocol", protocol, "-o", "p.tact", "--seed", "3"};
  synth.insert(synth.end(), more.begin(), more.end());
  const auto made = run_cli(folder.path(), synth);
  EXPECT_EQ(made.status, 0) << made.err;
  const auto fitted = run_cli(folder.path(), {"fit", "p.tact", "-o", "m.json", "--stages", stages});
  EXPECT_THAT(fitted.status, testing::AnyOf(0, 5)) << fitted.err;
  Made result{json::parse(folder.read("m.json")), json::parse(folder.read("p.truth.json"))};
  for (const auto* name : {"p.tact", "p.truth.json", "p.rig-truth.json", "m.json"})
    std::filesystem::remove(folder.path() / name);
  return result;
}

bool holds(const json& fitted, const json& truth) {
  const double value = truth["value"].get<double>();
  return fitted["status"] == "identified" && fitted["ci95"][0].get<double>() <= value &&
         value <= fitted["ci95"][1].get<double>();
}

double relative_interval(const json& fitted) {
  return (fitted["ci95"][1].get<double>() - fitted["ci95"][0].get<double>()) / 2 /
         fitted["value"].get<double>();
}

/// The virtual bench with other numbers.
void write_rig(const TestFolder& folder, const std::string& name, const json& changes) {
  std::ifstream file(std::filesystem::path(paths::source_dir()) / "data/rigs/virtual-bench.json");
  auto rig = json::parse(file);
  rig.merge_patch(changes);
  folder.write(name, rig.dump());
}

constexpr const char* kProtocol =
    R"({"format": "tactelier/protocol", "version": 1, "name": "p", "description": "",
        "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
        "steps": [{"do": "zero", "time_s": 2}, %]})";

std::string protocol(const std::string& steps) {
  std::string text = kProtocol;
  return text.replace(text.find('%'), 1, steps);
}

TEST(PadsThatTheFitLacks, AHardeningPadHasAnIntervalDownToItsSlopeAtFirstTouch) {
  const TestFolder folder;
  const auto made = make(folder, "quick", "stiffness", {"--draw", "hardening"});
  const auto& k = made.model["stiffness"]["k_punch"];
  EXPECT_TRUE(holds(k, made.truth["stiffness"]["k_punch"])) << k;
  EXPECT_GT(relative_interval(k), 0.05);
  EXPECT_THAT(made.codes("stiffness"), testing::IsSupersetOf({"HARDENING", "ST-03"}));
  const auto straight = make(folder, "quick", "stiffness");
  EXPECT_LT(relative_interval(straight.model["stiffness"]["k_punch"]), 0.001);
  EXPECT_THAT(straight.codes("stiffness"), testing::Not(testing::Contains("HARDENING")));
}

TEST(PadsThatTheFitLacks, BacklashDoesNotMoveStiffnessAndIsSaidWhereItMovesPlaces) {
  const TestFolder folder;
  write_rig(folder, "loose.json", {{"stage", {{"backlash_um", {{"x", 0}, {"y", 0}, {"z", 60}}}}}});
  const auto made = make(folder, "quick", "stiffness,psf", {"--rig", "loose.json"});
  EXPECT_TRUE(holds(made.model["stiffness"]["k_punch"], made.truth["stiffness"]["k_punch"]));
  const auto& sigma = made.model["psf"]["sigma"];
  EXPECT_TRUE(holds(sigma, made.truth["psf"]["sigma"]) ||
              testing::Value(made.codes("psf"), testing::Contains("ID-07")))
      << sigma;
}

TEST(StarvedRecordings, ForcesUnderThreeTimesTheThresholdDoNotSeparateItFromTheGain) {
  const TestFolder folder;
  folder.write("light.json", protocol(R"({"do": "scan", "tactels": [38, 45], "speed_mm_s": 0.2,
                            "until": {"force_N": 0.3}})"));
  const auto made = make(folder, "light.json", "response");
  const auto& tactel = made.model["response"]["tactels"][38];
  EXPECT_TRUE(tactel["press_gain"]["value"].is_null()) << tactel["press_gain"];
  EXPECT_THAT(tactel["press_gain"]["reason"].get<std::string>(), StartsWith("RS-04"));
  EXPECT_TRUE(tactel["press_threshold"]["value"].is_null());
}

TEST(StarvedRecordings, TooFewDepthsGiveNoStiffness) {
  const TestFolder folder;
  folder.write("steps.json",
               protocol(R"({"do": "staircase", "sites": ["centre"], "depths_mm": [0.3, 0.6, 0.9],
                            "dwell_s": 2})"));
  const auto made = make(folder, "steps.json", "stiffness");
  const auto& k = made.model["stiffness"]["k_punch"];
  EXPECT_TRUE(k["value"].is_null());
  EXPECT_THAT(k["reason"].get<std::string>(), StartsWith("ST-01 Depths"));
}

TEST(StarvedRecordings, ACompliantRigWithoutAPlateRunGivesNoStiffness) {
  const TestFolder folder;
  const auto made = make(folder, "study", "stiffness", {"--preset", "lab"});
  for (const auto* name : {"k_punch", "foundation_modulus"})
    EXPECT_TRUE(made.model["stiffness"][name]["value"].is_null()) << name;
  const auto reason = made.model["stiffness"]["k_punch"]["reason"].get<std::string>();
  EXPECT_THAT(reason, StartsWith("RC-06 No plate press"));
  EXPECT_THAT(reason, HasSubstr("plate (protocol"));
}

}  // namespace
}  // namespace tactelier::test
