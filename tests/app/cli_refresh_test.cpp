// tactelier refresh, synth --refresh: a model, its sensor some time later, and what has become of
// its gains.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

void scale(json& tactel, double factor) {
  for (const auto* name : {"gain", "press_gain"})
    tactel[name]["value"] = tactel[name]["value"].get<double>() * factor;
}

/// A sensor and its model of a quarter of an hour.
class Refresh : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TestFolder;
    make_model("then", "51", {});
    make_model("tailed", "51", {"--draw", "student"});
    make_model("lab", "64", {"--preset", "lab"});
  }
  static void TearDownTestSuite() { delete folder_; }

  static void make_model(const std::string& name, const std::string& seed,
                         std::vector<std::string> options) {
    std::vector<std::string> arguments{"synth",        "--protocol", "quick", "-o",
                                       name + ".tact", "--seed",     seed};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto made = run_cli(folder_->path(), arguments);
    ASSERT_EQ(made.status, 0) << made.err;
    const auto fit = run_cli(folder_->path(), {"fit", name + ".tact", "-o", name + ".json",
                                               "--stages", "response,psf", "--force"});
    ASSERT_EQ(fit.status, 0) << fit.err;
  }

  /// `change` edits what the sensor is; then it is looked at again, and its model refreshed.
  template <class Change>
  static json refreshed(const std::string& model, const std::string& name, Change change,
                        const std::string& preset = "clean") {
    auto truth = json::parse(folder_->read(model + ".truth.json"));
    change(truth["response"]["tactels"]);
    folder_->write(name + ".in.json", truth.dump());
    const auto looked = run_cli(folder_->path(), {"synth", "--refresh", model + ".json", "--truth",
                                                  name + ".in.json", "--seed", "77", "--minutes",
                                                  "4", "--preset", preset, "-o", name + ".tact"});
    EXPECT_EQ(looked.status, 0) << looked.err;
    EXPECT_THAT(looked.err, HasSubstr("gains looked at"));
    told_ = looked.err;
    const auto result = run_cli(folder_->path(), {"refresh", model + ".json", name + ".tact", "-o",
                                                  name + ".json", "--json"});
    EXPECT_EQ(result.status, 0) << result.err;
    const auto document = json::parse(result.out);
    const auto valid = check_schema(document, "cli-refresh", name);
    EXPECT_TRUE(valid) << valid.error().message;
    return document["result"];
  }

  static json tactels(const std::string& name) {
    return json::parse(folder_->read(name + ".json"))["response"]["tactels"];
  }

  /// Truth within u_total of the refreshed gain.
  static bool holds(const json& refreshed, const json& truth) {
    const auto& gain = refreshed["gain"];
    return std::abs(gain["value"].get<double>() - truth["gain"]["value"].get<double>()) <=
           gain["u_total"].get<double>();
  }

  static TestFolder* folder_;
  static std::string told_;  // while the last one was looked at
};
TestFolder* Refresh::folder_ = nullptr;
std::string Refresh::told_;

/// All 84 are pressed in 6 minutes by protocol check.
TEST_F(Refresh, ARowThatDriftedIsFoundAndMendedAndTheOthersStay) {
  const auto found = refreshed("then", "row", [](json& tactels) {
    for (std::size_t t = 18; t < 24; ++t) scale(tactels[t], 0.92);
  });
  EXPECT_THAT(found["changed"].get<std::vector<int>>(), ElementsAre(18, 19, 20, 21, 22, 23));
  EXPECT_THAT(found["not_seen"].get<std::vector<int>>(), IsEmpty());
  EXPECT_THAT(told_, HasSubstr("changed so far: 18, 19, 20, 21, 22, 23"));
  EXPECT_LE(found["presses"].get<int>(), 36);
  const auto then = tactels("then"), now = tactels("row");
  const auto truth = json::parse(folder_->read("row.in.json"))["response"]["tactels"];
  for (std::size_t t = 0; t < 84; ++t) {
    if (t < 18 || t >= 24) {
      EXPECT_EQ(then[t], now[t]) << t;
      continue;
    }
    EXPECT_NEAR(found["tactels"][t]["ratio"].get<double>(), 0.92, 0.01) << t;
    EXPECT_TRUE(holds(now[t], truth[t])) << t;
    EXPECT_EQ(then[t]["threshold"], now[t]["threshold"]) << t;
  }
  const auto model = json::parse(folder_->read("row.json"));
  EXPECT_EQ(model["provenance"]["sessions"].size(), 2u);
  EXPECT_THAT(model["provenance"]["options"]["refreshed"].get<std::string>(),
              HasSubstr("gains of 6 of 84 tactels changed by -"));
}

/// There presses scatter by some percent as wholes and tactels are dead: two of this row are, else
/// the row and nothing else is found.
TEST_F(Refresh, OnALaboratorysRigARowIsFoundWithAFewDozenPresses) {
  const auto found = refreshed(
      "lab", "lab-row",
      [](json& tactels) {
        for (std::size_t t = 60; t < 66; ++t) scale(tactels[t], 0.92);
      },
      "lab");
  const auto then = tactels("lab"), now = tactels("lab-row");
  std::vector<int> row;
  for (int t = 60; t < 66; ++t)
    if (now[static_cast<std::size_t>(t)]["gain"]["value"].is_number()) row.push_back(t);
  EXPECT_GE(row.size(), 4u);
  EXPECT_EQ(found["changed"].get<std::vector<int>>(), row);
  EXPECT_THAT(found["not_seen"].get<std::vector<int>>(), IsEmpty());
  EXPECT_LE(found["presses"].get<int>(), 40);  // 94 where each change was to be known to 2 %
  const auto truth = json::parse(folder_->read("lab-row.in.json"))["response"]["tactels"];
  for (const int t : row)
    EXPECT_TRUE(holds(now[static_cast<std::size_t>(t)], truth[static_cast<std::size_t>(t)])) << t;
}

TEST_F(Refresh, OfASensorThatNothingHappenedToNothingChanges) {
  const auto found = refreshed("then", "same", [](json&) {});
  EXPECT_EQ(found["words"], "no gain has changed");
  EXPECT_EQ(tactels("then"), tactels("same"));
}

TEST_F(Refresh, AFactorOfAllGainsIsToldFromTactelsThatMovedAlone) {
  const auto found = refreshed("then", "all", [](json& tactels) {
    for (auto& tactel : tactels) scale(tactel, 0.95);
    scale(tactels[40], 1.12);
  });
  EXPECT_TRUE(found["all_changed"].get<bool>());
  EXPECT_NEAR(found["common_factor"].get<double>(), 0.95, 0.005);
  EXPECT_THAT(found["changed"].get<std::vector<int>>(), ElementsAre(40));
  EXPECT_NEAR(found["tactels"][40]["ratio"].get<double>(), 0.95 * 1.12, 0.015);
}

TEST_F(Refresh, ADeadTactelIsNamedAndLosesItsGain) {
  const auto found = refreshed("then", "dead", [](json& tactels) {
    auto& tactel = tactels[30];
    tactel["status"] = "dead";
    for (const auto* name : {"gain", "press_gain", "threshold", "press_threshold"})
      tactel[name] = {{"value", nullptr},
                      {"unit", tactel[name]["unit"]},
                      {"status", "unidentifiable"},
                      {"reason", "RS-01 dead"}};
  });
  EXPECT_THAT(found["broken"].get<std::vector<int>>(), ElementsAre(30));
  EXPECT_THAT(found["changed"].get<std::vector<int>>(), IsEmpty());
  const auto now = tactels("dead");
  EXPECT_EQ(now[30]["gain"]["status"], "unidentifiable");
  EXPECT_EQ(now[31], tactels("then")[31]);
}

/// Its spread has tails that no Gaussian has, and the fit's has none.
TEST_F(Refresh, ASpreadOfAnotherFormMakesNoChanges) {
  const auto found = refreshed("tailed", "tailed-now", [](json&) {});
  EXPECT_EQ(found["words"], "no gain has changed");
  EXPECT_NEAR(found["common_factor"].get<double>(), 1, 0.01);
}

TEST_F(Refresh, WhatCantBeRefreshedSaysWhyAndWhatToDo) {
  auto model = json::parse(folder_->read("then.json"));
  for (const auto* name : {"sigma", "sigma_x", "sigma_y"})
    model["psf"][name] = {
        {"value", nullptr}, {"unit", "m"}, {"status", "unidentifiable"}, {"reason", "PS-01 none"}};
  folder_->write("bare.json", model.dump());
  const auto bare =
      run_cli(folder_->path(), {"refresh", "bare.json", "then.tact", "-o", "none.json"});
  EXPECT_EQ(bare.status, 5) << bare.err;
  EXPECT_THAT(bare.err, HasSubstr("RF-01"));
  EXPECT_THAT(bare.err, HasSubstr("tactelier check"));
  const auto wish = run_cli(folder_->path(), {"synth", "--refresh", "then.json", "--until",
                                              "sigma 1 %", "-o", "none.tact"});
  EXPECT_EQ(wish.status, 2);
  EXPECT_THAT(wish.err, HasSubstr("target 'sigma'"));
  const auto other = run_cli(folder_->path(), {"synth", "--refresh", "then.json", "--sensor",
                                               "pps-digitacts-6x4", "-o", "none.tact"});
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("another layout"));
}

}  // namespace
}  // namespace tactelier::test
