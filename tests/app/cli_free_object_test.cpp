// tactelier simulate --free: weights of the paper, slopes, and what can't be carried.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "libcalib/json_check.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/libcalib/forward/forward_model.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr const char* kCube = R"({"shape": "box", "x_mm": 40, "y_mm": 40})";

/// The paper's pad: 14 x 6 tactels, k = 1000 N/m, c_n = 10 N s/m.
class FreeObjectCommand : public testing::Test {
 protected:
  void SetUp() override {
    auto model = testing_models::forward_model();
    testing_models::set(model.stiffness.k, 1000);
    testing_models::set(model.damping.c_n, 10);
    ASSERT_TRUE(write_model(model, folder_.path() / "slippery.json"));
    auto& friction = model.friction;
    testing_models::set(friction.sigma0, 1000);
    testing_models::set(friction.sigma1, 1);
    testing_models::set(friction.c_t, 0.1);
    testing_models::set(friction.mu_s, 0.62);
    testing_models::set(friction.mu_d, 0.45);
    testing_models::set(friction.v_s, 4e-3);
    ASSERT_TRUE(write_model(model, folder_.path() / "model.json"));
  }

  CliResult lay(std::vector<std::string> more, const std::string& model = "model.json") {
    if (std::find(more.begin(), more.end(), "--height") == more.end())
      more.insert(more.end(), {"--height", "40"});
    std::vector<std::string> arguments{"simulate", "--free", "--model", model,    "--indenter",
                                       kCube,      "-o",     "end.csv", "--json", "--overwrite"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_cli(folder_.path(), arguments);
  }
  static json result_of(const CliResult& result) {
    EXPECT_EQ(result.status, 0) << result.err;
    if (result.status != 0) return {};
    auto found = json::parse(result.out);
    const auto valid = check_schema(found, "cli-simulate", "simulate");
    EXPECT_TRUE(valid) << valid.error().message;
    return found["result"];
  }

  TestFolder folder_;
};

// Table 3 of Moisio et al., g = 9.80 m/s^2.
TEST_F(FreeObjectCommand, CubesWeighWhatThePaperWeighed) {
  for (const auto& [mass_g, paper_N] :
       {std::pair{"100", 0.9800}, {"1000", 9.7999}, {"10000", 97.9899}}) {
    const auto end = result_of(lay({"--mass", mass_g, "--gravity", "9.80"}));
    EXPECT_NEAR(end["load_N"].get<double>() / paper_N, 1, 2e-4) << mass_g;
    EXPECT_NEAR(end["load_N"].get<double>() / end["weight_N"].get<double>(), 1, 1e-6);
  }
}

TEST_F(FreeObjectCommand, ACubeStaysOnASlopeWithFrictionAndTheCourseTellsHow) {
  const auto end = result_of(lay({"--mass", "1000", "--slope-x", "10", "--course", "course.csv"}));
  const double weight_N = end["weight_N"];
  EXPECT_NEAR(end["friction_N"][1].get<double>(), -weight_N * std::sin(0.1745329252), 1e-3);
  EXPECT_NEAR(end["load_N"].get<double>(), weight_N * std::cos(0.1745329252), 1e-3);
  EXPECT_LT(end["speed_m_per_s"].get<double>(), 1e-6);
  EXPECT_LT(end["tip_mm"][1].get<double>(), 0);  // down the slope until the bristles held
  std::istringstream course(folder_.read("course.csv"));
  std::string line, last;
  int rows = 0;
  for (; std::getline(course, line); ++rows) last = line;
  EXPECT_EQ(rows, 2001);
  EXPECT_THAT(last, testing::StartsWith("2,"));
}

TEST_F(FreeObjectCommand, WithoutFrictionItSlidesOffAndThatIsSaid) {
  const auto gone = lay({"--mass", "1000", "--slope-x", "20", "--duration", "5"}, "slippery.json");
  EXPECT_EQ(gone.status, 3);
  EXPECT_THAT(gone.err, HasSubstr("FW-06"));
  const auto level =
      lay({"--mass", "1000", "--slope-x", "0.1", "--duration", "0.1"}, "slippery.json");
  EXPECT_THAT(json::parse(level.out)["warnings"].dump(), HasSubstr("FW-11"));
}

// It lands on an edge and shifts, so its weight need not end quite over the array's middle.
TEST_F(FreeObjectCommand, ATiltedCubeComesToLie) {
  const auto end = result_of(lay({"--mass", "1000", "--tilt-x", "5", "--duration", "4"}));
  EXPECT_LT(std::abs(end["turns_deg"][0].get<double>()), 0.1);
  EXPECT_LT(end["speed_m_per_s"].get<double>(), 1e-5);
  EXPECT_NEAR(end["load_N"].get<double>() / end["weight_N"].get<double>(), 1, 1e-4);
}

TEST_F(FreeObjectCommand, RefusalsNameWhatIsWrong) {
  EXPECT_THAT(lay({"--mass", "100000"}).err, HasSubstr("FW-06"));
  EXPECT_THAT(lay({"--mass", "-1"}).err, HasSubstr("FW-07"));
  EXPECT_THAT(lay({"--mass", "1", "--height", "0"}).err, HasSubstr("how tall"));
  EXPECT_EQ(lay({}).status, 2);
  EXPECT_EQ(lay({"--mass", "1", "--method", "psf"}).status, 2);
}

}  // namespace
}  // namespace tactelier::test
