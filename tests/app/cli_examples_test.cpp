// Real recordings from the command line, against numbers worked out with NumPy beforehand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/app/support/cli.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const fs::path kExamples = fs::path(paths::source_dir()) / "data/examples";

json read_json(const fs::path& file) { return json::parse(std::ifstream(file)); }

/// Imports TABLE by MAP and fits it; the model.
json fit_table(const fs::path& table, const json& map, const std::string& stages = "") {
  const TestFolder folder;
  folder.write("map.json", map.dump());
  const auto imported =
      run_cli(folder.path(), {"import", table.string(), "--map", "map.json", "-o", "session.tact"});
  EXPECT_EQ(imported.status, 0) << imported.err;
  std::vector<std::string> arguments{"fit", "session.tact", "-o", "model.json", "--json"};
  if (!stages.empty()) arguments.insert(arguments.end(), {"--stages", stages});
  const auto fitted = run_cli(folder.path(), arguments);
  EXPECT_EQ(fitted.status, 0) << fitted.err;
  return json::parse(fitted.out)["result"];
}

json fluid_map() { return read_json(kExamples / "fluid-taxel/map.json"); }

/// The shipped map with the left output's tactel under another place of the strip: the gain of a
/// tactel is that of the press on its centre, and either output answers along the whole strip.
json fluid_map_with_left_at(double x_mm) {
  auto map = fluid_map();
  map["sensor"]["positions_mm"][0] = {x_mm, 0, 0};
  map["sensor"]["positions_mm"][1] = {x_mm == 90 ? 10 : 90, 0, 0};
  return map;
}

// Force regressed on depth at each of the 41 places, 1.6 to 3.5 mm; mean and spread over places.
TEST(FluidTaxel, StiffnessOverTheStripIs3Point36NewtonsPerMillimetreFilledWithOil) {
  const auto model = fit_table(kExamples / "fluid-taxel/oil.csv", fluid_map());
  EXPECT_NEAR(model["stiffness"]["k_affine"]["value"].get<double>(), 3360.27, 0.01);
  EXPECT_NEAR(model["quality"]["stiffness"]["figures"]["k_affine_spread_N_per_m"].get<double>(),
              82.04, 0.01);
}

TEST(FluidTaxel, StiffnessOverTheStripIs3Point92NewtonsPerMillimetreFilledWithAir) {
  const auto model = fit_table(kExamples / "fluid-taxel/air.csv", fluid_map());
  EXPECT_NEAR(model["stiffness"]["k_affine"]["value"].get<double>(), 3915.74, 0.01);
  EXPECT_NEAR(model["quality"]["stiffness"]["figures"]["k_affine_spread_N_per_m"].get<double>(),
              96.85, 0.01);
}

TEST(FluidTaxel, StiffnessThroughTheContactPointIsRefusedSinceNoFirstTouchWasRecorded) {
  const auto model = fit_table(kExamples / "fluid-taxel/oil.csv", fluid_map());
  EXPECT_EQ(model["stiffness"]["k_punch"]["status"], "unidentifiable");
  EXPECT_TRUE(model["stiffness"]["k_punch"]["value"].is_null());
  EXPECT_NE(model["stiffness"]["k_punch"]["reason"], "");
}

// Left reading regressed on force over the 17 to 19 readings at that place: readings per newton.
TEST(FluidTaxel, GainOfTheLeftOutputFallsAlongTheStrip) {
  const std::vector<std::pair<double, double>> slope_at{
      {10, 0.51040485}, {50, 0.13115621}, {90, 0.04885983}};
  for (const auto& [x_mm, slope] : slope_at) {
    const auto model =
        fit_table(kExamples / "fluid-taxel/oil.csv", fluid_map_with_left_at(x_mm), "response");
    const auto gain = model["response"]["tactels"][0]["press_gain"];
    ASSERT_EQ(gain["status"], "identified") << x_mm << gain;
    EXPECT_NEAR(1 / gain["value"].get<double>(), slope, 1e-6 * slope) << x_mm;
  }
}

/// Its rows are peaks alone.
TEST(FluidTaxel, OwnGainStaysOpenWithoutAReadingAtRest) {
  const auto model = fit_table(kExamples / "fluid-taxel/oil.csv", fluid_map());
  const auto gain = model["response"]["tactels"][0]["gain"];
  EXPECT_EQ(gain["status"], "unidentifiable");
  EXPECT_THAT(gain["reason"].get<std::string>(),
              testing::StartsWith("NOT-FITTED no reading at rest is known"));
}

// 185 to 221 uN/nm near 95 % of the load depending on the window: its limits are in the model.
TEST(IndentCreep, UnloadingSlopeOfSteelIsThatOfTheLiterature) {
  const auto model = fit_table(kExamples / "indent-creep/steel_load_hold_unload.csv",
                               read_json(kExamples / "indent-creep/steel.map.json"));
  const auto slope = model["stiffness"]["unloading"];
  ASSERT_EQ(slope["status"], "identified") << slope;
  EXPECT_GT(slope["value"].get<double>(), 185e3);
  EXPECT_LT(slope["value"].get<double>(), 221e3);
  const auto figures = model["quality"]["stiffness"]["figures"];
  EXPECT_TRUE(figures.contains("unloading_to_peak_fraction")) << figures;
  EXPECT_TRUE(figures.contains("unloading_from_peak_fraction")) << figures;
}

// Means of depth over 0.05 s at either end of the hold, 12.05 to 17.05 s, by NumPy: 4.1 nm; 3.2 nm
// of them between 12.2 and 16.8 s.
TEST(IndentCreep, CreepOfSteelIsThatOfItsHoldAndNotOfTheRampBeforeIt) {
  auto map = read_json(kExamples / "indent-creep/steel.map.json");
  map["events"] = json::array({{{"event", "hold"}, {"find", "holds"}, {"least_s", 1}}});
  const auto model = fit_table(kExamples / "indent-creep/steel_load_hold_unload.csv", map);
  const auto figures = model["quality"]["relaxation"]["figures"];
  ASSERT_TRUE(figures.contains("creep_m")) << figures;
  EXPECT_NEAR(figures["creep_m"].get<double>(), 4.1e-9, 0.3e-9);
}

TEST(IndentCreep, ASoftSampleUnderAnAtomicForceMicroscopeImportsAndFits) {
  const auto model = fit_table(kExamples / "indent-creep/afm_soft_creep.csv",
                               read_json(kExamples / "indent-creep/afm.map.json"));
  EXPECT_EQ(model["presses"].size(), 1U);
}

}  // namespace
}  // namespace tactelier::test
