// pack: an archive that a colleague reruns to the same numbers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "libcalib/import/formats/zip_archive.hpp"
#include "libcalib/json_check.hpp"
#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
namespace fs = std::filesystem;

constexpr auto kPad = R"({
  "format": "tactelier/sensor", "version": 1, "vendor": "Test", "model": "Pad 2x2", "rows": 2,
  "columns": 2, "pitch_x_mm": 3.4, "pitch_y_mm": 3.4, "channels": 1,
  "adc": {"bits": 12, "min": 0, "max": 4095}, "rate_hz": 100, "thickness_mm": 3,
  "max_force_N": 10, "max_pressure_MPa": null, "falling": false, "source": "for this test"})";
constexpr auto kScan = R"({
  "format": "tactelier/protocol", "version": 1, "name": "small", "description": "Each tactel.",
  "max_minutes": 15, "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
  "steps": [{"do": "zero", "time_s": 5},
            {"do": "scan", "tactels": "all", "speed_mm_s": 0.8, "repeats": 2, "rest_s": 1,
             "until": {"saturated": true, "force_N": 3, "depth_mm": 1.5}},
            {"do": "zero", "time_s": 5}]})";

/// Two recordings of one pad; the model is of both, press 2 of the second left out.
class PackTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TestFolder>();
    folder_->write("pad.json", kPad);
    folder_->write("scan.json", kScan);
    run({"synth", "--protocol", "scan.json", "--sensor", "pad.json", "-o", "a.tact"});
    run({"synth", "--protocol", "scan.json", "--truth", "a.truth.json", "--seed", "2", "-o",
         "b.tact"});
    run({"fit", "a.tact", "b.tact", "--exclude", "b.tact:2", "--seed", "5", "-o", "model.json"});
    run({"pack", "model.json", "b.tact", "a.tact", "--add", "scan.json", "-o", "whole.zip"});
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static CliResult run(const std::vector<std::string>& arguments, int expected = 0) {
    auto result = run_cli(folder_->path(), arguments);
    EXPECT_EQ(result.status, expected) << arguments.front() << ": " << result.err << result.out;
    return result;
  }

  static std::unique_ptr<TestFolder> folder_;
};

std::unique_ptr<TestFolder> PackTest::folder_;

TEST_F(PackTest, TheArchiveHasEverythingAndSaysWhich) {
  const auto archive = ZipArchive::open(*folder_ / "whole.zip", "whole.zip").value();
  EXPECT_THAT(archive.members(),
              testing::UnorderedElementsAre("model.json", "a.tact", "b.tact", "report.html",
                                            "scan.json", "manifest.json", "README.txt"));
  EXPECT_EQ(archive.read("scan.json").value(), kScan);
  const auto manifest = json::parse(archive.read("manifest.json").value());
  auto fitted = json::array();  // in the fit's own order
  const auto model = json::parse(folder_->read("model.json"));
  for (const auto& session : model.at("provenance").at("sessions"))
    fitted.push_back(session.at("file"));
  EXPECT_EQ(fitted.size(), 2U);
  EXPECT_EQ(manifest.at("fitted_from"), fitted);
  EXPECT_THAT(archive.read("report.html").value(), HasSubstr("Residuals over force"));
}

TEST_F(PackTest, ARerunGivesTheSameNumbersToTheLastDigit) {
  const auto rerun = run({"pack", "--verify", "whole.zip", "--json"});
  const auto document = json::parse(rerun.out);
  EXPECT_TRUE(check_schema(document, "cli-pack", "pack"));
  const auto& result = document.at("result").at("rerun");
  EXPECT_TRUE(result.at("same").get<bool>());
  EXPECT_TRUE(result.at("differences").empty()) << result.at("differences").dump();
  EXPECT_GT(result.at("numbers").get<int>(), 20);
}

TEST_F(PackTest, ADescriptionGivenToTheFitIsTakenAgain) {
  auto pad = json::parse(kPad);
  pad["pitch_x_mm"] = 4.1;  // moves the taxels' places, and so the numbers
  pad["adc"]["max"] = 3000;
  folder_->write("other.json", pad.dump());
  run({"fit", "a.tact", "--sensor", "other.json", "-o", "other-model.json"});
  run({"pack", "other-model.json", "a.tact", "-o", "other.zip"});
  const auto rerun = json::parse(run({"pack", "--verify", "other.zip", "--json"}).out);
  EXPECT_TRUE(rerun.at("result").at("rerun").at("differences").empty()) << rerun.dump();
}

TEST_F(PackTest, TheSameInputGivesTheSameBytes) {
  run({"pack", "model.json", "a.tact", "b.tact", "--add", "scan.json", "-o", "again.zip"});
  EXPECT_EQ(folder_->read("again.zip"), folder_->read("whole.zip"));
  fs::copy_file(*folder_ / "whole.zip", *folder_ / "kept.zip");
  run({"pack", "model.json", "b.tact", "a.tact", "--add", "scan.json", "-o", "whole.zip"}, 2);
  run({"pack", "model.json", "b.tact", "a.tact", "--add", "scan.json", "-o", "whole.zip",
       "--force"});
  EXPECT_EQ(folder_->read("whole.zip"), folder_->read("kept.zip"));
}

TEST_F(PackTest, ANumberThatTheRecordingsDoNotGiveIsFound) {
  auto model = json::parse(folder_->read("model.json"));
  auto& gain = model.at("response").at("tactels").at(1).at("press_gain");
  gain["value"] = 1.02 * gain.at("value").get<double>();
  folder_->write("bent.json", model.dump());
  run({"pack", "bent.json", "a.tact", "b.tact", "-o", "bent.zip"});
  const auto rerun = run({"pack", "--verify", "bent.zip"}, 5);
  EXPECT_THAT(rerun.out, HasSubstr("response.tactels[1].press_gain"));
  EXPECT_THAT(rerun.out, HasSubstr("standard errors"));
}

TEST_F(PackTest, ARecordingOfTheFitMustBeThere) {
  const auto refused = run({"pack", "model.json", "a.tact", "-o", "half.zip"}, 3);
  EXPECT_THAT(refused.err, HasSubstr("b.tact"));
  EXPECT_FALSE(fs::exists(*folder_ / "half.zip"));
  EXPECT_FALSE(fs::exists(*folder_ / "half.zip.partial"));
}

TEST_F(PackTest, ADamagedArchiveIsNamedWithItsFile) {
  auto bytes = folder_->read("whole.zip");
  const auto at = bytes.find("SQLite format 3");  // stored as it is: the first recording
  ASSERT_NE(at, bytes.npos);
  bytes[at + 5000] = static_cast<char>(bytes[at + 5000] ^ 0x40);
  folder_->write("flipped.zip", bytes);
  const auto refused = run({"pack", "--verify", "flipped.zip"}, 3);
  EXPECT_THAT(refused.err, testing::ContainsRegex("[ab]\\.tact"));
  folder_->write("no.zip", "this is no archive");
  EXPECT_THAT(run({"pack", "--verify", "no.zip"}, 3).err, HasSubstr("no.zip"));
  run({"pack", "model.json", "-o", "x.zip"}, 2);
}

}  // namespace
}  // namespace tactelier::test
