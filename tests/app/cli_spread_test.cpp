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

}  // namespace
}  // namespace tactelier::test
