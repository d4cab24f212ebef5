// What a simulated rig gives along the surface, by strokes of its tip along the rigid plate,
// through `synth`; truth is what the seed drew.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/workflow/fit_sessions.hpp"
#include "app/workflow/synth_session.hpp"
#include "libcalib/protocol/rig.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;

const std::string kSteps =
    R"({"do": "shear", "force_N": 4, "length_mm": 0.2, "speed_mm_s": 0.09, "repeats": 8},)";

struct Found {
  double true_um_per_N = 0;
  std::optional<double> um_per_N;
  double u_um_per_N = 0;  // standard
};

Found found_by(const std::string& preset, std::uint64_t seed, const json& rig_changes = {}) {
  const TestFolder folder;
  auto rig = json::parse(virtual_bench_rig().document);
  if (rig_changes.is_object()) rig.merge_patch(rig_changes);
  folder.write("rig.json", rig.dump());
  folder.write("shear.json", R"({"format": "tactelier/protocol", "version": 1, "name": "shear",
      "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
      "steps": [{"do": "zero", "time_s": 5},)" +
                                 kSteps + R"({"do": "zero", "time_s": 2}]})");
  SynthRequest synth;
  synth.protocol = (folder / "shear.json").string();
  synth.rig = (folder / "rig.json").string();
  synth.seed = seed;
  synth.preset = preset;
  synth.draw = {"none"};
  synth.target = folder / "pad.tact";
  const auto made = synth_session(synth, {});
  EXPECT_TRUE(made) << made.error().message;
  if (!made) return {};
  const auto truth = json::parse(folder.read("pad.rig-truth.json"));
  FitRequest fit;
  fit.sessions = {made->recording};
  fit.stages = {"friction"};
  const auto fitted = fit_sessions(fit, {});
  EXPECT_TRUE(fitted) << fitted.error().message;
  if (!fitted) return {};
  const auto& figures = fitted->model.quality.at("friction").figures;
  Found found{truth.value("shear_compliance_um_per_N", 0.0), {}, 0};
  const auto told = figures.find("side_compliance_taken_out_um_per_N");
  if (told == figures.end()) return found;
  found.um_per_N = told->second;
  found.u_um_per_N = figures.at("side_compliance_u_um_per_N");
  return found;
}

TEST(ShearCompliance, OfALabsRigIsFoundWithinItsInterval) {
  for (const std::uint64_t seed : {1301, 1302, 1303}) {
    const auto found = found_by("lab", seed);
    ASSERT_TRUE(found.um_per_N) << seed;
    EXPECT_NEAR(*found.um_per_N, found.true_um_per_N, 2.2 * found.u_um_per_N) << seed;
    EXPECT_LT(found.u_um_per_N, 0.04 * found.true_um_per_N) << seed;
  }
}

/// What a rig file states is heard where nothing is measured, and there alone.
TEST(ShearCompliance, IsMeasuredRatherThanStated) {
  const auto measured = found_by("lab", 1301, {{"shear_compliance_um_per_N", 28.8}});
  EXPECT_LT(measured.u_um_per_N, 0.04 * 28.8);
  const auto stated = found_by(
      "lab", 1301, {{"shear_compliance_um_per_N", 28.8}, {"plate_stiffness_N_per_um", 0.01}});
  ASSERT_TRUE(stated.um_per_N);
  EXPECT_NEAR(*stated.um_per_N, 28.8, 1e-9);
  EXPECT_NEAR(stated.u_um_per_N, 2.88, 1e-9);
}

TEST(ShearCompliance, IsNotLookedForOnAPlateThatGives) {
  EXPECT_FALSE(found_by("lab", 1301, {{"plate_stiffness_N_per_um", 0.01}}).um_per_N);
}

/// A stage that says a thousand times a second where it is, on a rig of 50 µm/N: `p10`, in which
/// slides turn round, behind a spring that is in the simulated rig and in the fit.
TEST(ShearCompliance, DoesNotPassForSofterBristlesWhereSlidesTurnRound) {
  const TestFolder folder;
  folder.write("rig.json", [] {
    auto rig = json::parse(
        std::ifstream(std::filesystem::path(paths::source_dir()) / "data/rigs/ideal-bench.json"));
    rig["shear_compliance_um_per_N"] = 50;
    return rig.dump();
  }());
  for (const std::uint64_t seed : {1, 2, 3}) {
    SynthRequest synth;
    synth.protocol = "p10";
    synth.rig = (folder / "rig.json").string();
    synth.seed = seed;
    synth.target = folder / fmt::format("pad{}.tact", seed);
    const auto made = synth_session(synth, {});
    ASSERT_TRUE(made) << made.error().message;
    FitRequest fit;
    fit.sessions = {made->recording};
    fit.stages = {"friction"};
    const auto fitted = fit_sessions(fit, {});
    ASSERT_TRUE(fitted) << fitted.error().message;
    const auto& found = fitted->model.friction.contact;
    const auto truth =
        json::parse(folder.read(fmt::format("pad{}.truth.json", seed)))["friction"]["contact"];
    const double sigma0 = truth["sigma0"]["value"], sigma1 = truth["sigma1"]["value"];
    ASSERT_TRUE(found.sigma0.identified()) << found.sigma0.reason;
    EXPECT_NEAR(*found.sigma0.value, sigma0, 0.013 * sigma0) << seed;
    ASSERT_TRUE(found.sigma1.identified()) << found.sigma1.reason;
    EXPECT_NEAR(*found.sigma1.value, sigma1, 1.2 * *found.sigma1.u_total) << seed;
  }
}

}  // namespace
}  // namespace tactelier::test
