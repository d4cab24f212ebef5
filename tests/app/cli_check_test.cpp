// tactelier check and diff: one sensor measured again after something happened to it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

/// A sensor, its model, and what protocol 'check' finds after its truth was changed.
class CheckCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TestFolder;
    synth({"--seed", "21"}, "first.tact");
    const auto fit =
        run_cli(folder_->path(), {"fit", "first.tact", "-o", "model.json", "--stages", "response"});
    ASSERT_EQ(fit.status, 0) << fit.err;
  }
  static void TearDownTestSuite() { delete folder_; }

  static void synth(std::vector<std::string> options, const std::string& name) {
    std::vector<std::string> arguments{"synth", "--protocol", "check", "-o", name};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto made = run_cli(folder_->path(), arguments);
    ASSERT_EQ(made.status, 0) << made.err;
  }

  /// `change` edits the truth; the same sensor is then measured with other noise.
  template <class Change>
  static json checked(const std::string& name, Change change, int status) {
    auto truth = json::parse(folder_->read("first.truth.json"));
    change(truth["response"]["tactels"]);
    folder_->write(name + ".truth-in.json", truth.dump());
    synth({"--truth", name + ".truth-in.json", "--seed", "22"}, name + ".tact");
    const auto result = run_cli(folder_->path(), {"check", "model.json", name + ".tact", "--json"});
    EXPECT_EQ(result.status, status) << result.err;
    const auto document = json::parse(result.out);
    const auto valid = check_schema(document, "cli-check", name);
    EXPECT_TRUE(valid) << valid.error().message;
    return document["result"];
  }

  static TestFolder* folder_;
};
TestFolder* CheckCommand::folder_ = nullptr;

void scale(json& tactel, double factor) {
  for (const auto* name : {"gain", "press_gain"})
    tactel[name]["value"] = tactel[name]["value"].get<double>() * factor;
}

TEST_F(CheckCommand, AnUnchangedSensorIsValid) {
  const auto result = checked(
      "same", [](json&) {}, 0);
  EXPECT_EQ(result["verdict"], "valid");
  EXPECT_NEAR(result["common_factor"].get<double>(), 1, 0.002);
  EXPECT_EQ(result["tactels"].size(), 84U);
}

TEST_F(CheckCommand, AgedRubberIsRescaledByOneFactor) {
  const auto result = checked(
      "aged",
      [](json& tactels) {
        for (auto& tactel : tactels) scale(tactel, 1.08);
      },
      5);
  EXPECT_EQ(result["verdict"], "rescale");
  EXPECT_NEAR(result["common_factor"].get<double>(), 1.08, 0.003);
  EXPECT_LT(std::abs(result["common_factor"].get<double>() - 1.08),
            2 * result["u_common_factor"].get<double>());
}

TEST_F(CheckCommand, WornTactelsAreNamed) {
  const auto result = checked(
      "worn",
      [](json& tactels) {
        scale(tactels[7], 1.15);
        scale(tactels[40], 0.9);
      },
      5);
  EXPECT_EQ(result["verdict"], "recalibrate");
  EXPECT_THAT(result["recalibrate"].get<std::vector<int>>(), ElementsAre(7, 40));
}

TEST_F(CheckCommand, MovedOffsetsAreReZeroed) {
  const auto result = checked(
      "moved",
      [](json& tactels) {
        tactels[3]["offset"]["value"] = tactels[3]["offset"]["value"].get<double>() + 60;
      },
      5);
  EXPECT_EQ(result["verdict"], "re-zero");
  EXPECT_THAT(result["rezero"].get<std::vector<int>>(), ElementsAre(3));
}

TEST_F(CheckCommand, AnotherSensorOfTheKindIsTheWrongOne) {
  const auto mixed = [](json& tactels) {
    for (std::size_t i = 0; i < tactels.size(); ++i)
      scale(tactels[i], std::vector{1.2, 1.0, 0.85}[i % 3]);
  };
  EXPECT_EQ(checked("other", mixed, 5)["verdict"], "wrong sensor");
}

TEST_F(CheckCommand, AnotherSerialNumberIsTheWrongSensor) {
  synth({"--seed", "22"}, "serial.tact");
  const auto serial = run_cli(folder_->path(), {"check", "model.json", "serial.tact"});
  EXPECT_EQ(serial.status, 5);
  EXPECT_THAT(serial.out, HasSubstr("synth-22"));
}

TEST_F(CheckCommand, DiffNamesWhatChangedBeyondBothUncertainties) {
  checked(
      "grown", [](json& tactels) { scale(tactels[7], 1.15); }, 5);
  ASSERT_EQ(
      run_cli(folder_->path(), {"fit", "grown.tact", "-o", "grown.json", "--stages", "response"})
          .status,
      0);
  const auto diff = run_cli(folder_->path(), {"diff", "model.json", "grown.json", "--json"});
  ASSERT_EQ(diff.status, 0) << diff.err;
  const auto document = json::parse(diff.out);
  const auto valid = check_schema(document, "cli-diff", "diff");
  EXPECT_TRUE(valid) << valid.error().message;
  std::vector<std::string> significant;
  for (const auto& change : document["result"]["changes"])
    if (change["verdict"] == "significant" &&
        change["path"].get<std::string>().ends_with("press_gain"))
      significant.push_back(change["path"]);
  EXPECT_THAT(significant, ElementsAre("response.tactels[7].press_gain"));
  EXPECT_THAT(run_cli(folder_->path(), {"diff", "model.json", "grown.json"}).out,
              HasSubstr("response.tactels[].press_gain"));
}

}  // namespace
}  // namespace tactelier::test
