// verify-export, from the command line.

#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "app/workflow/slide_on_bristles.hpp"
#include "app/workflow/verify_export.hpp"
#include "libcalib/json_check.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/paths/paths.hpp"
#include "tests/reports/export/mujoco_models.hpp"

namespace tactelier::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class VerifyCommand : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(write_model(testing_models::mujoco_model(), folder_ / "m.json"));
  }
  CliResult run(std::vector<std::string> more) const {
    more.insert(more.begin(), {"verify-export", "m.json"});
    return run_cli(folder_.path(), more);
  }
  /// Without MuJoCo there is one thing to say.
  static bool says_what_is_missing(const CliResult& result) {
    return result.status == 2 && result.err.find("libmujoco-dev") != std::string::npos;
  }

  TestFolder folder_;
};

TEST_F(VerifyCommand, WritesARecordAndItsPage) {
  const auto result = run({"--to", "mujoco", "--record", "r.json", "--json"});
  if (says_what_is_missing(result)) GTEST_SKIP() << result.err;
  ASSERT_EQ(result.status, 0) << result.err;
  const auto document = parse_json(result.out, "verify-export");
  ASSERT_TRUE(document);
  EXPECT_TRUE(check_schema(*document, "cli-verify-export", "verify-export"));
  const auto record = parse_json(folder_.read("r.json"), "r.json");
  ASSERT_TRUE(record);
  EXPECT_TRUE(check_schema(*record, "verification-record", "r.json"));
  EXPECT_EQ(*record, (*document)["result"]["record"]);
  EXPECT_THAT(folder_.read("r.txt"), HasSubstr("Acme_Pad_2x3_A_7.mujoco"));
  EXPECT_EQ(run({"--to", "mujoco", "--record", "r.json"}).status, 2);
  EXPECT_EQ(run({"--to", "mujoco", "--record", "r.json", "--force"}).status, 0);
  std::filesystem::remove(folder_ / "r.json");  // its page is as precious
  EXPECT_EQ(run({"--to", "mujoco", "--record", "r.json"}).status, 2);
  EXPECT_EQ(run({"--to", "mujoco", "--record", "other.txt"}).status, 2);
}

// The pad itself, spread and ghosting included, is what was recorded: neither our method nor the
// target has these, so both miss them by the same part.
TEST_F(VerifyCommand, SaysHowWellTheTargetPredictsWhatWasRecorded) {
  folder_.write("small.json", R"({
    "format": "tactelier/sensor", "version": 1, "vendor": "Acme", "model": "6x5", "rows": 6,
    "columns": 5, "pitch_x_mm": 3.4, "pitch_y_mm": 3.4, "channels": 1,
    "adc": {"bits": 12, "min": 0, "max": 4095}, "rate_hz": null, "thickness_mm": null,
    "max_force_N": null, "max_pressure_MPa": null, "falling": false, "source": "made up"})");
  folder_.write("shapes.json", R"({
    "format": "tactelier/protocol", "version": 1, "name": "shapes", "max_minutes": 60,
    "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
    "steps": [
      {"do": "zero", "time_s": 3},
      {"do": "images", "masses_g": [100, 500], "dwell_s": 2, "indenters": [
        {"id": "bar", "shape": "edge", "length_mm": 14, "width_mm": 5}]},
      {"do": "images", "masses_g": [500], "dwell_s": 2, "indenters": [
        {"id": "disc", "shape": "cylinder", "diameter_mm": 8}]},
      {"do": "images", "masses_g": [5], "dwell_s": 2, "indenters": [
        {"id": "needle", "shape": "sphere", "diameter_mm": 0.3}]},
      {"do": "zero", "time_s": 3}]})");
  const auto recorded = run_cli(folder_.path(), {"synth", "--protocol", "shapes.json", "--sensor",
                                                 "small.json", "-o", "shapes.tact"});
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  const auto result =
      run_cli(folder_.path(), {"verify-export", "shapes.truth.json", "--assume", "damping.c_n=1",
                               "--to", "mujoco", "--session", "shapes.tact", "--record", "r.json"});
  if (says_what_is_missing(result)) GTEST_SKIP() << result.err;
  ASSERT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("The target against recordings: shapes.tact"));
  const auto record = parse_json(folder_.read("r.json"), "r.json");
  ASSERT_TRUE(record);
  EXPECT_TRUE(check_schema(*record, "verification-record", "r.json"));
  const auto& agreement = (*record)["recorded"];
  EXPECT_EQ(agreement["images"].size(), 3U) << agreement.dump(1);
  EXPECT_THAT(agreement["left_out"].dump(), HasSubstr("larger than the tips"));
  EXPECT_GT(agreement["ours_percent"], 1.0);
  for (const auto& image : agreement["images"])  // no rim near a tactel's middle
    EXPECT_NEAR(image["target_percent"], image["ours_percent"], 0.1) << image.dump();
  // Far nearer to each other than both are to what was recorded.
  EXPECT_LT(agreement["worst_apart_percent"], 0.1);
  EXPECT_LE(agreement["apart_percent"], agreement["worst_apart_percent"]);
  std::map<std::string, nlohmann::json> metrics;
  for (const auto& metric : agreement["metrics"]) metrics[metric["name"]] = metric;
  EXPECT_EQ(metrics["rel_l1"]["ours"]["median"], agreement["ours_percent"]);
  EXPECT_EQ(metrics["rel_l1"]["target"]["median"], agreement["target_percent"]);
  EXPECT_EQ(metrics["rel_l1"]["of"], "the measured sum");
  EXPECT_EQ(metrics["mad_active"]["of"], "full scale");
  EXPECT_GT(metrics["total"]["ours"]["median"], 10);  // a size: spread is missing in both
  EXPECT_EQ(metrics["emd"]["unit"], "m");
  EXPECT_THAT(result.out, HasSubstr("mad_active"));
  EXPECT_THAT(result.out, HasSubstr("the target from our model, worst"));
  const auto with_script = run({"--to", "bullet", "--script", "s.py", "--session", "shapes.tact"});
  EXPECT_EQ(with_script.status, 2);
}

// A minute of presses before would be a minute lost.
TEST_F(VerifyCommand, ASessionThatIsNotThereIsToldBeforeAnythingIsPressed) {
  std::string pressed;
  Job job;
  job.on_progress = [&](const Progress& progress) { pressed += progress.what; };
  const auto missing =
      verify_export({folder_ / "m.json", "mujoco", {}, {folder_ / "nowhere.tact"}}, job);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("nowhere.tact"));
  EXPECT_THAT(pressed, Not(HasSubstr("plate")));
}

TEST_F(VerifyCommand, APageInTheWayIsToldFirst) {
  ASSERT_TRUE(write_model(testing_models::wts_model(), folder_ / "m.json"));  // no MJCF of it
  folder_.write("r.txt", "a page");
  const auto result = run({"--to", "mujoco", "--record", "r.json"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("r.txt"));
}

TEST_F(VerifyCommand, PressesWhatIsForNewVersionsInTheMujocoOfNpm) {
  ASSERT_TRUE(write_model(testing_models::hardening_mujoco_model(), folder_ / "m.json"));
  setenv("NODE_PATH", ("/nowhere:" + paths::source_dir() + "/node_modules").c_str(), 1);
  const auto result = run({"--to", "mujoco-3.7", "--record", "r.json"});
  unsetenv("NODE_PATH");
  const auto without = run({"--to", "mujoco-3.7"});
  EXPECT_EQ(without.status, 2);
  EXPECT_THAT(without.err, HasSubstr("npm install @mujoco/mujoco@3.14.0"));
  if (result.status == 2) GTEST_SKIP() << result.err;
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(folder_.read("r.txt"), HasSubstr("MuJoCo 3.14.0, format mujoco-3.7"));
  EXPECT_THAT(folder_.read("r.txt"), HasSubstr("by the written cubic"));
}

class BristlesVerified : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kNpm)) GTEST_SKIP() << "npm install @mujoco/mujoco@3.14.0";
    const auto contents = fill_slots(model_, mujoco_slots(MujocoForm::kModern), "MuJoCo");
    ASSERT_TRUE(contents);
    pad_ = bristled(mujoco_pad(model_, *contents, MujocoForm::kModern).value(), model_, *contents);
    ASSERT_TRUE(pad_);
    files_ = (*exporter("mujoco-3.7"))->write(model_).value().sidecars;
  }
  Result<SlidOnBristles> slide() const {
    return slide_on_bristles(*pad_, *PressList::create(model_, *pad_), files_, kNpm,
                             folder_.path());
  }
  /// In all of the exported files beside the main one.
  void change(const std::string& from, const std::string& to) {
    int found = 0;
    for (auto& file : files_)
      if (const auto at = file.text.find(from); at != std::string::npos) {
        file.text.replace(at, from.size(), to);
        ++found;
      }
    EXPECT_EQ(found, 1) << from;
  }

  inline static const std::string kNpm = paths::source_dir() + "/node_modules/@mujoco/mujoco";
  SensorModel model_ = testing_models::bristled_mujoco_model();
  std::optional<MujocoPad> pad_;
  std::vector<Sidecar> files_;
  TestFolder folder_;
};

TEST_F(BristlesVerified, SlideAndStickAsLugreSays) {
  const auto slid = slide();
  ASSERT_TRUE(slid) << slid.error().message;
  if (!slid->left_out.empty()) GTEST_SKIP() << slid->left_out[0];
  ASSERT_EQ(slid->quantities.size(), 3U);
  const auto& [steady, presliding, forces] =
      std::tie(slid->quantities[0], slid->quantities[1], slid->quantities[2]);
  EXPECT_EQ(steady.presses.size(), 6U);  // three loads, two speeds
  EXPECT_EQ(presliding.presses.size(), 9U);
  EXPECT_EQ(forces.presses.size(), 36U);
  EXPECT_LT(steady.worst_percent(), 0.1);
  EXPECT_LT(presliding.worst_percent(), 0.5);
  EXPECT_LT(forces.worst_percent(), 0.02);
  // 0.02 N on each of six, 50 mm/s, by hand: 6 (0.02 0.23 + 0.05 0.05) N; Stribeck's share is
  // e^-25.
  EXPECT_NEAR(steady.presses[1].expected, 0.0426, 1e-9);
}

TEST_F(BristlesVerified, AChangedLoopIsFound) {
  change("MU_D = 0.23", "MU_D = 0.24");
  const auto slid = slide();
  ASSERT_TRUE(slid) << slid.error().message;
  if (!slid->left_out.empty()) GTEST_SKIP() << slid->left_out[0];
  EXPECT_FALSE(slid->quantities[0].passed());
  EXPECT_TRUE(slid->quantities[2].passed());
}

TEST_F(BristlesVerified, SofterBristlesAreFoundBeforeTheySlide) {
  change("lugre=\"1000 ", "lugre=\"950 ");
  const auto slid = slide();
  ASSERT_TRUE(slid) << slid.error().message;
  if (!slid->left_out.empty()) GTEST_SKIP() << slid->left_out[0];
  EXPECT_TRUE(slid->quantities[0].passed());
  EXPECT_FALSE(slid->quantities[1].passed());
}

TEST_F(BristlesVerified, WhatStopsTheLoopIsToldInItsWords) {
  change("LEAST = 1e-9", "LEAST = nonsense");
  const auto slid = slide();
  if (slid && !slid->left_out.empty()) GTEST_SKIP() << slid->left_out[0];
  ASSERT_FALSE(slid);
  EXPECT_THAT(slid.error().message, HasSubstr("name 'nonsense' is not defined"));
}

TEST_F(VerifyCommand, APadOnBristlesIsSlidOnToo) {
  ASSERT_TRUE(write_model(testing_models::bristled_mujoco_model(), folder_ / "m.json"));
  setenv("NODE_PATH", (paths::source_dir() + "/node_modules").c_str(), 1);
  const auto result = run({"--to", "mujoco-3.7", "--record", "r.json"});
  unsetenv("NODE_PATH");
  if (result.status == 2) GTEST_SKIP() << result.err;
  ASSERT_EQ(result.status, 0) << result.err << result.out;
  const auto page = folder_.read("r.txt");
  if (page.find("the pad on bristles: no Python") != page.npos) GTEST_SKIP() << page;
  EXPECT_THAT(page, HasSubstr("presliding on bristles"));
  const auto record = parse_json(folder_.read("r.json"), "r.json");
  ASSERT_TRUE(record);
  EXPECT_TRUE(check_schema(*record, "verification-record", "r.json"));
}

TEST_F(VerifyCommand, ATargetThatCannotBeRunHereIsRefusedByName) {
  const auto known = run({"--to", "openrave"});
  EXPECT_EQ(known.status, 2);
  EXPECT_THAT(known.err, HasSubstr("mujoco, mujoco-3.7 can be verified, and --script FILE "));
  const auto unknown = run({"--to", "mujoko"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'mujoco'"));
}

TEST_F(VerifyCommand, WritesAScriptForATargetThatCannotBeRunHere) {
  const auto result = run({"--to", "drake", "--script", "verify_in_drake.py", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto document = parse_json(result.out, "verify-export");
  ASSERT_TRUE(document);
  EXPECT_TRUE(check_schema(*document, "cli-verify-export", "verify-export"));
  EXPECT_EQ((*document)["result"]["file"], "verify_in_drake.py");
  EXPECT_THAT(folder_.read("verify_in_drake.py"), HasSubstr("import pydrake"));
  EXPECT_EQ(run({"--to", "drake", "--script", "verify_in_drake.py"}).status, 2);
  EXPECT_EQ(run({"--to", "drake", "--script", "verify_in_drake.py", "--force"}).status, 0);
  EXPECT_EQ(run({"--to", "drake", "--script", "s.py", "--record", "r.json"}).status, 2);
  EXPECT_THAT(run({"--to", "openrave", "--script", "s.py"}).err,
              HasSubstr("bullet, drake, newton, genesis, chrono, sdf, isaac have one"));
}

TEST_F(VerifyCommand, AModelThatCannotBeExportedIsNotVerified) {
  ASSERT_TRUE(write_model(testing_models::wts_model(), folder_ / "m.json"));
  const auto result = run({"--to", "mujoco", "--record", "r.json"});
  EXPECT_EQ(result.status, 5);
  EXPECT_THAT(result.err, HasSubstr("--assume stiffness.k=VALUE"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "r.json"));
}

}  // namespace
}  // namespace tactelier::test
