// What fit says of itself, headline and exit status: it counts what was asked for and what was
// found.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/app/support/cli.hpp"
#include "tests/app/support/session_folder.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kSlides = R"({"format": "tactelier/protocol", "version": 1, "name": "slides",
  "description": "Friction only.", "max_minutes": 60,
  "indenter": {"id": "ball10", "shape": "sphere", "diameter_mm": 10.0},
  "steps": [{"do": "zero", "time_s": 5},
      {"do": "slide", "load_N": 1, "speeds_mm_s": [0.5, 1, 2, 4, 6, 9, 12, 18], "length_mm": 8,
       "directions_deg": [90, 270]},
      {"do": "preslide", "load_N": 1, "amplitude_mm": 0.02, "frequencies_hz": [1, 5], "time_s": 10},
      {"do": "zero", "time_s": 2}]})";

class Verdict : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TestFolder;
    folder_->write("slides.json", kSlides);
    const auto made = run_cli(folder_->path(), {"synth", "--protocol", "slides.json", "--seed", "1",
                                                "-o", "slides.tact"});
    ASSERT_EQ(made.status, 0) << made.err;
    PlainSession session;  // two presses that tell two gains: none can be given
    session.pad.saturation_counts = 4095;
    session.pad.counts_per_N = 1200;
    session.presses = {{1, 0, 2.0, 0.7}, {2, 0, 2.0, 1.3}};
    session.write(*folder_, "torn");
  }
  static void TearDownTestSuite() { delete folder_; }

  static CliResult fit(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"fit", "--force", "-o", "m.json"});
    return run_cli(folder_->path(), arguments);
  }

  static TestFolder* folder_;
};
TestFolder* Verdict::folder_ = nullptr;

TEST_F(Verdict, SixFrictionNumbersAreSomethingIdentified) {
  for (const auto& stages : {std::vector<std::string>{}, {"--stages", "friction"}}) {
    auto arguments = stages;
    arguments.insert(arguments.begin(), "slides.tact");
    const auto result = fit(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("identified: friction 6 of 6 numbers"));
    EXPECT_THAT(result.err, Not(HasSubstr("nothing could be identified")));
  }
}

TEST_F(Verdict, FrictionIsNotWhatWasAskedFor) {
  const auto result = fit({"slides.tact", "--stages", "response,psf"});
  EXPECT_EQ(result.status, 5) << result.err;
  EXPECT_THAT(result.err,
              HasSubstr("nothing could be identified of what was asked for (response, psf)"));
}

TEST_F(Verdict, ANonlinearityBesideARefusedGainIsNothing) {
  const auto result = fit({"torn", "--stages", "response"});
  const auto tactel = json::parse(folder_->read("m.json"))["response"]["tactels"][0];
  ASSERT_TRUE(tactel["press_gain"]["value"].is_null()) << tactel["press_gain"];
  ASSERT_EQ(tactel["nonlinearity"]["status"], "identified") << tactel["nonlinearity"];
  EXPECT_EQ(result.status, 5) << result.err;
}

TEST_F(Verdict, AContactPointIsEnoughWhereItWasAskedFor) {
  EXPECT_EQ(fit({"torn", "--stages", "contact"}).status, 0);
  EXPECT_EQ(fit({"torn", "--stages", "contact", "--require", "contact"}).status, 0);
}

TEST_F(Verdict, RequiredMeansWhatAStageIsFor) {
  EXPECT_EQ(fit({"slides.tact", "--require", "friction"}).status, 0);
  const auto unmet = fit({"slides.tact", "--require", "friction,relaxation"});
  EXPECT_EQ(unmet.status, 5);
  EXPECT_THAT(unmet.err, HasSubstr("required, but missing: relaxation"));
}

}  // namespace
}  // namespace tactelier::test
