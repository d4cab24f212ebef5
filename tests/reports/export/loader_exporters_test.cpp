// Options and loaders for simulators without a file format: JSON as Python reads it, loaders run
// against small stand-ins that check what their originals check (fakes/), numbers by hand.
#include <gmock/gmock.h>

#include "reports/export/exporter.hpp"
#include "tests/paths/paths.hpp"
#include "tests/reports/export/layout_models.hpp"
#include "tests/reports/export/run_files.hpp"

namespace tactelier {
namespace {

using namespace testing_models;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;

Exported loadable(std::string_view format, const SensorModel& model) {
  auto written = (*exporter(format))->write(model);
  EXPECT_TRUE(written) << written.error().message;
  return written.value_or(Exported{});
}

/// Exit status of a script that finds the export as pad.json, its loader as "loader" and the
/// stand-ins as modules.
int run_loaded(const Exported& exported, const std::string& script) {
  const test::TemporaryFolder folder;
  test::save_text(folder / "pad.json", exported.text);
  for (const auto& sidecar : exported.sidecars)
    test::save_text(folder / sidecar.name, sidecar.text);
  const auto loader = exported.sidecars.at(0).name;
  test::save_text(folder / "check.py",
                  fmt::format("import json\nimport {} as loader\npad = json.load(open('pad.json'))"
                              "\nnear = lambda a, b: abs(a - b) < 1e-9\n{}",
                              loader.substr(0, loader.find('.')), script));
  return test::run_in(folder, fmt::format("PYTHONPATH={}/tests/reports/export/fakes "
                                          "/usr/bin/python3 -B check.py",
                                          paths::source_dir()));
}

SensorModel genesis_model() {
  auto model = with(read_model_2x3(), {"psf.sigma=0.0017", "friction.c_t=0.01",
                                       "relaxation.g_inf=0.8", "timing.latency_s=0.01"});
  model.relaxation.g = {identified(0.05, ""), identified(0.15, "")};
  model.relaxation.tau = {identified(0.1, "s"), identified(4, "s")};
  return model;
}

TEST(GenesisExporter, GivesOptionsThatGenesisTakes) {
  EXPECT_EQ(run_loaded(loadable("genesis", genesis_model()), R"(
import genesis
scene = genesis.Scene()
entity, (taxels,) = loader.add_taxels(scene, 'pad.json', pos=(0, 0, 1))
assert entity.n_links == 1 and entity.material.friction == 0.23
assert genesis.shape(taxels.probe_local_pos) == (2, 3, 3)  # rows, columns
assert all(near(a, b) for a, b in zip(taxels.probe_local_pos[1][2], (0.0034, 0.0025, -0.0017)))
assert taxels.probe_radius == [[0.0017] * 3, [0.0017, 0, 0.0017]]  # tactel 4 is dead
assert taxels.normal_stiffness == 58.5 and taxels.normal_exponent == 1
assert near(taxels.normal_damping, 0.0583 / (0.1 / 58.5)) and taxels.shear_scalar == 0.01
assert [round(gain, 9) for gain in taxels.probe_gain] == [1, 1, 1, 1, 1, 0.5]
assert taxels.crosstalk_strength == 1 and taxels.crosstalk_sigma == 0.0017
assert near(taxels.hysteresis_strength, 0.15 / 0.8) and taxels.hysteresis_tau == 4
assert near(taxels.noise, 4e-4) and near(taxels.resolution, 1e-4) and taxels.delay == 0.01
# At half of the range, 0.1 N, it is spring and damper of the model: + c v.
depth = 0.1 / 58.5
assert near(taxels.force(0, depth, 0), 0.1) and near(taxels.force(0, depth, 0.02), 0.101166)
assert taxels.force(4, depth, 0) == 0 and near(taxels.force(5, depth, 0), 0.05)
)"),
            0);
}

// Ten times less than the others, but stuck.
TEST(GenesisExporter, DrawsFromTheRangeOfTheTactelsThatRead) {
  auto model = genesis_model();
  model.response.tactels[3].status = TactelStatus::kStuck;
  model.response.tactels[3].gain = identified(1e-3, "N/count");
  EXPECT_EQ(run_loaded(loadable("genesis", model), R"(
import genesis
_, (taxels,) = loader.add_taxels(genesis.Scene(), 'pad.json')
assert not hasattr(taxels, 'probe_gain_resample_range')
_, (drawn,) = loader.add_taxels(genesis.Scene(), 'pad.json', resample=True, pos=(0, 0, 1))
assert [round(gain, 9) for gain in drawn.probe_gain_resample_range] == [0.5, 1]
)"),
            0);
}

TEST(GenesisExporter, HasThresholdAndSaturationInContactForce) {
  EXPECT_EQ(run_loaded(loadable("genesis", genesis_model()), R"(
import genesis
scene = genesis.Scene()
entity, forces = loader.add_contact_forces(scene, 'pad.json')
assert entity.n_links == 7 and len(forces) == 5 and 't4_a0_r1_c1' not in forces
last = forces['t5_a0_r1_c2']
assert last.link_idx_local == 6 and last.min_force == 0.01 and near(last.max_force, 0.39)
assert near(forces['t0_a0_r0_c0'].max_force, 0.2)
)"),
            0);
}

TEST(GenesisExporter, GivesIrregularAndCurvedArraysAsListsWithoutCrosstalk) {
  const auto two = loadable("genesis", with(turned_mujoco_model(), {"psf.sigma=0.0017"}));
  EXPECT_EQ(run_loaded(two, R"(
import genesis
_, (grid, irregular) = loader.add_taxels(genesis.Scene(), 'pad.json')
assert genesis.shape(grid.probe_local_pos) == (2, 3, 3) and grid.crosstalk_sigma == 0.0017
assert genesis.shape(irregular.probe_local_pos) == (4, 3)
assert not hasattr(irregular, 'crosstalk_sigma')
)"),
            0);
  EXPECT_THAT(two.losses, Contains(Field(&Loss::path, "sensor.arrays[1]")));
  EXPECT_EQ(run_loaded(loadable("genesis", curved_model()), R"(
import genesis
_, (arc,) = loader.add_taxels(genesis.Scene(), 'pad.json')
right = arc.probe_local_pos[2]  # 2 mm against the normal
assert all(near(a, b) for a, b in zip(right, (0.0035760479543, 0, -0.0023588015989))), right
)"),
            0);
}

TEST(GenesisExporter, WritesWhatIsNotKnownAsNothingAndSaysSo) {
  const auto sparse = loadable("genesis", with(wts_model(), {"stiffness.k=58.5"}));
  EXPECT_EQ(run_loaded(sparse, R"(
import genesis
_, (taxels,) = loader.add_taxels(genesis.Scene(), 'pad.json')
assert taxels.normal_damping == 0 and taxels.shear_scalar == 0 and not hasattr(taxels, 'noise')
assert set(taxels.probe_gain) == {1} and pad['counts_per_N'] is None and pad['material'] == {}
assert not hasattr(taxels, 'crosstalk_strength') and not hasattr(taxels, 'hysteresis_tau')
)"),
            0);
  EXPECT_THAT(sparse.losses, Contains(Field(&Loss::path, "damping.c_n")));
  const auto refused = (*exporter("genesis"))->write(wts_model());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("--assume stiffness.k="));
  auto kernel = with(mujoco_model(), {"psf.kernel_sampled.s=0.5"});
  EXPECT_EQ(run_loaded(loadable("genesis", kernel), R"(
import genesis
_, (taxels,) = loader.add_taxels(genesis.Scene(), 'pad.json')
assert near(sum(genesis.flat(taxels.crosstalk_kernel)), 1)
)"),
            0);
}

TEST(ChronoExporter, MakesChronosContactTheTactelsSpringAndDamper) {
  EXPECT_EQ(run_loaded(loadable("chrono", read_model_2x3()), R"(
import pychrono
system = pychrono.ChSystemSMC()
rubber = loader.material('pad.json', object_kg=0.05)
bodies = loader.add_pad(system, 'pad.json', rubber)
assert [body.name for body in bodies][3:5] == ['t3_a0_r1_c0', 't4_a0_r1_c1']
last = bodies[5]
assert last.shapes[0].radius == 0.0017
assert near(last.position.x, 0.0034) and near(last.position.y, 0.0025)
assert near(last.position.z, -0.0017)
normal, shear = system.contact(last, rubber, 0.05, depth=1e-3, speed=0.02, shear=0)
assert abs(normal - (0.0585 + 0.0583 * 0.02)) < 1e-9 and shear == 0, normal
# Half of 0.2 N: friction is 0.23 of it from 1 mm/s on.
normal, shear = system.contact(last, rubber, 0.05, depth=0.1 / 58.5, speed=0, shear=1e-3)
assert near(normal, 0.1) and abs(shear - 0.023) < 1e-7, shear
assert near(system.contact(last, rubber, 0.05, 0.1 / 58.5, 0, 0.1)[1], 0.023)
assert near(system.contact(last, rubber, 0.05, 0.1 / 58.5, 0, 1e-4)[1] / 0.0023, 1)
assert pad['tactels'][5]['saturation_N'] == 0.39 and not pad['tactels'][4]['reads']
)"),
            0);
}

TEST(ChronoExporter, PutsCurvedAndTurnedTactelsAndLeavesUnknownFrictionToChrono) {
  auto model = curved_model();
  EXPECT_EQ(run_loaded(loadable("chrono", model), R"(
import pychrono
system = pychrono.ChSystemSMC()
rubber = loader.material('pad.json', object_kg=0.05)
right = loader.add_pad(system, 'pad.json', rubber)[2].position
assert near(right.x, 0.0035760479543) and near(right.z, -0.0023588015989)
assert rubber.friction == 0.6 and rubber.gt == 0 and pad['friction'] is None
)"),
            0);
  const auto refused = (*exporter("chrono"))->write(with(wts_model(), {"stiffness.k=58.5"}));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("--assume damping.c_n="));
}

}  // namespace
}  // namespace tactelier
