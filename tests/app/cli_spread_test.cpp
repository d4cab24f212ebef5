// The point spread of a pad as a laboratory's: one dead, one stuck and one noisy tactel far from
// the presses, ghosting of 1 %.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;

constexpr const char* kRaster = R"({
  "format": "tactelier/protocol", "version": 1, "name": "short", "max_minutes": 100,
  "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
  "steps": [
    {"do": "zero", "time_s": 15},
    {"do": "raster", "area_mm": [-5.1, -5.1, 5.1, 5.1], "step_mm": 1.7, "depth_mm": 1.2},
    {"do": "zero", "time_s": 5}]})";

TEST(SpreadOfALaboratorysPad, IsNotSetByANoisyTactelThatNoPressCameNear) {
  const TestFolder folder;
  folder.write("short.json", kRaster);
  const auto must = [&](const std::vector<std::string>& arguments) {
    const auto result = run_cli(folder.path(), arguments);
    ASSERT_EQ(result.status, 0) << result.err;
  };
  must({"synth", "--protocol", "short.json", "--preset", "lab", "--seed", "7", "-o", "pad.tact"});
  must({"fit", "pad.tact", "-o", "model.json", "--stages", "psf"});
  const auto model = json::parse(folder.read("model.json"));
  const auto truth = json::parse(folder.read("pad.truth.json"));
  const double sigma_m = model["psf"]["sigma"]["value"];
  EXPECT_NEAR(sigma_m / truth["psf"]["sigma"]["value"].get<double>(), 1, 0.02);
  const auto rig = json::parse(folder.read("pad.rig-truth.json"));
  EXPECT_NEAR(model["quality"]["psf"]["figures"]["ghosting_percent"].get<double>(),
              rig["truth"]["constants"]["ghosting_percent"].get<double>(), 0.3);
}

// Beside a weight ghosting shows by itself, and presses that show the spread no longer trade it for
// gains: 0.71 to 1.44 % without for a true 1 %, 0.99 +- 0.03 % with.
TEST(SpreadOfALaboratorysPad, GhostingIsMeasuredBesideAWeight) {
  const TestFolder folder;
  folder.write("short.json", R"({
  "format": "tactelier/protocol", "version": 1, "name": "short", "max_minutes": 100,
  "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
  "steps": [
    {"do": "zero", "time_s": 15},
    {"do": "scan", "tactels": [1, 7, 13, 19, 25, 31, 37, 43, 4, 10, 16, 22, 28, 34, 40, 46, 21],
     "speed_mm_s": 0.8, "until": {"saturated": true, "force_N": 3, "depth_mm": 1.5}},
    {"do": "raster", "area_mm": [-1.7, -1.7, 1.7, 1.7], "step_mm": 0.85, "depth_mm": 0.65},
    {"do": "weights", "masses_g": [500, 500], "area_mm2": 390,
     "until": {"saturated": true, "force_N": 3, "depth_mm": 1.5}},
    {"do": "zero", "time_s": 5}]})");
  const auto made = run_cli(folder.path(), {"synth", "--protocol", "short.json", "--preset", "lab",
                                            "--seed", "9", "-o", "pad.tact"});
  ASSERT_EQ(made.status, 0) << made.err;
  const auto fitted =
      run_cli(folder.path(), {"fit", "pad.tact", "-o", "model.json", "--stages", "psf"});
  ASSERT_EQ(fitted.status, 0) << fitted.err;
  const auto model = json::parse(folder.read("model.json"));
  const auto& figures = model["quality"]["psf"]["figures"];
  EXPECT_GE(figures["ghosting_presses"].get<int>(), 3);
  const double u_percent = figures["ghosting_percent_std"];
  EXPECT_LT(u_percent, 0.05);
  EXPECT_NEAR(figures["ghosting_percent"].get<double>(), 1, 3 * u_percent);
}

}  // namespace
}  // namespace tactelier::test
