// Formats for rectangular grids, as other readers see them, against numbers worked by hand.
#include <gmock/gmock.h>

#include <pugixml.hpp>

#include "reports/export/exporter.hpp"
#include "tests/reports/export/layout_models.hpp"
#include "tests/reports/export/run_files.hpp"

namespace tactelier {
namespace {

using namespace testing_models;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;

Exported grid_of(std::string_view format, const SensorModel& model) {
  auto written = (*exporter(format))->write(model);
  EXPECT_TRUE(written) << written.error().message;
  return written.value_or(Exported{});
}

std::string grid_refusal(std::string_view format, const SensorModel& model) {
  const auto written = (*exporter(format))->write(model);
  return written ? "accepted" : written.error().message;
}

/// Exit status of a script that finds the text, read by PyYAML, as `read`.
int check_yaml(const std::string& text, const std::string& script) {
  const test::TemporaryFolder folder;
  test::save_text(folder / "file.yaml", text);
  test::save_text(folder / "check.py",
                  "import yaml\nread = yaml.safe_load(open('file.yaml'))\n"
                  "near = lambda a, b: abs(a - b) < 1e-8\n" +
                      script);
  return test::run_in(folder, "/usr/bin/python3 check.py");
}

SensorModel square_model(SensorModel model) {
  for (auto& array : model.sensor.arrays) array.pitch_y_m = array.pitch_x_m;
  return model;
}

TEST(GridExporters, RefuseArraysThatAreNoFlatGrids) {
  for (const auto* format : {"schunk", "tacto", "skinsim", "robworksim"}) {
    EXPECT_THAT(grid_refusal(format, turned_mujoco_model()),
                HasSubstr("sensor.arrays[1]: not a flat grid"))
        << format;
    EXPECT_THAT(grid_refusal(format, curved_model()), HasSubstr("not a flat grid")) << format;
  }
}

TEST(GridExporters, SayThatDeadTactelsReadLikeTheOthers) {
  for (const auto* format : {"schunk", "tacto", "robworksim"})
    EXPECT_THAT(grid_of(format, read_model_2x3()).losses,
                Contains(Field(&Loss::path, "response.tactels[].status")))
        << format;
  EXPECT_THAT(grid_of("skinsim", square_model(read_model_2x3())).losses,
              Contains(Field(&Loss::path, "response.tactels[].status")));
}

TEST(SchunkExporter, GivesColumnsRowsSensitivityAndRange) {
  const auto exported = grid_of("schunk", two_grids_model());
  EXPECT_EQ(check_yaml(exported.text, R"(
assert read['cells_x'] == 3 and read['cells_y'] == 2 and read['filter_length'] == 1
assert near(read['sensitivity'], 10000) and near(read['output_range'], 1900)
)"),
            0);
  ASSERT_EQ(exported.sidecars.size(), 1U);
  EXPECT_EQ(exported.sidecars[0].name, "Acme_Pad_2x3_A_7_array_1.yaml");
  EXPECT_EQ(check_yaml(exported.sidecars[0].text,
                       "assert (read['cells_x'], read['cells_y']) == "
                       "(2, 1)\n"),
            0);
  EXPECT_THAT(grid_refusal("schunk", mujoco_model()),
              HasSubstr("--assume response.tactels[0].gain=VALUE"));
  // Falling readings: from 4035 down to 10 of the converter.
  auto falling =
      with(wts_model(), {"response.tactels[0].gain=0.001", "response.tactels[0].offset=4035"});
  falling.sensor.falling = true;
  falling.sensor.adc.min = 10;
  EXPECT_EQ(check_yaml(grid_of("schunk", falling).text, R"(
assert (read['cells_x'], read['cells_y']) == (6, 14)
assert near(read['output_range'], 4025) and near(read['sensitivity'], 1000)
)"),
            0);
}

TEST(TactoExporter, GivesAGelOfTheArraysSizeThatGoesInAsATactelDoes) {
  const auto exported = grid_of("tacto", two_grids_model());
  // The middle tactel saturates at 0.01 N + 1e-4 * 1900 = 0.2 N, 0.2 / 58.5 m deep.
  EXPECT_EQ(check_yaml(exported.text, R"(
sensor = read['sensor']
assert set(sensor) == {'camera', 'gel', 'lights', 'noise', 'force'}
gel, force = sensor['gel'], sensor['force']
assert near(gel['width'], 0.0102) and near(gel['height'], 0.01) and gel['curvature'] is False
assert force['enable'] is True and near(force['range_force'][1], 0.2)
assert near(force['max_deformation'], 0.2 / 58.5) and force['range_force'][0] == 0
camera, = sensor['camera']
assert camera['position'][0] < 0 and len(sensor['lights']['colors']) == len(camera['lightIDList'])
assert sensor['noise']['color'] == {'mean': 0, 'std': 0}
)"),
            0);
  EXPECT_EQ(check_yaml(exported.sidecars.at(0).text,
                       "assert near(read['sensor']['gel']['width'], 0.0068)\n"),
            0);
  // Without a saturation the range of validity stands for it.
  EXPECT_EQ(check_yaml(grid_of("tacto", mujoco_model()).text,
                       "assert near(read['sensor']['force']['range_force'][1], 0.2)\n"),
            0);
  EXPECT_THAT(grid_refusal("tacto", with(wts_model(), {"stiffness.k=58.5"})),
              HasSubstr("validity.force_N"));
  EXPECT_THAT(grid_refusal("tacto", wts_model()), HasSubstr("--assume stiffness.k="));
}

TEST(SkinsimExporter, GivesEveryKeyThatTheGeneratorReads) {
  auto model = square_model(read_model_2x3());
  model = with(model, {"psf.sigma=0.0034", "timing.latency_s=0.02", "timing.rate_hz=50"});
  EXPECT_EQ(check_yaml(grid_of("skinsim", model).text, R"(
entry, = read
spec, = entry['spec']
keys = '''num_elements_x num_elements_y num_patches_x num_patches_y element_diameter element_height
element_mass element_spring element_damping plane_thickness plane_height init_x init_y init_z parent
ros_namespace update_rate patch_length_x patch_length_y total_length_x total_length_y
tactile_elements_x tactile_elements_y tactile_separation_x tactile_separation_y spread_scaling
spread_sigma noiseSigma noiseMu noiseAmplitude delay plunger_radius plunger_length plunger_mass
plunger_spring plunger_damping plunger_gravity plunger_offset_x plunger_offset_y plunger_offset_z
solver_iterations step_size max_sim_time topic'''.split()
assert set(spec) == set(keys), set(spec) ^ set(keys)
assert entry['name'] == 'Acme_Pad_2x3_A_7_array_0' and spec['plunger_gravity'] is False
for key in keys:
    kinds = dict(parent=str, ros_namespace=str, topic=str, plunger_gravity=bool)
    integer = key.startswith(('num_', 'tactile_', 'solver_'))
    assert type(spec[key]) is kinds.get(key, int if integer else float), key
assert (spec['num_elements_x'], spec['num_elements_y']) == (3, 2)
assert (spec['num_patches_x'], spec['num_patches_y']) == (1, 1)
assert spec['element_spring'] == 58.5 and spec['element_damping'] == 0.0583
assert spec['element_diameter'] == 0.0034 and spec['element_height'] == 0.006
assert near(spec['init_z'], -0.0094) and spec['delay'] == 0.02 and spec['update_rate'] == 50
# A quarter of 2 pi: one element is as wide as sigma, and all weights add up to one.
assert near(spec['spread_scaling'], 1 / 6.283185307) and spec['spread_sigma'] == 0.0034
assert near(spec['noiseSigma'], 4e-4)
import math
weights = sum(spec['spread_scaling'] * math.exp(-(x * x + y * y) / 2)
              for x in range(-9, 10) for y in range(-9, 10))
assert abs(weights - 1) < 1e-6
)"),
            0);
}

TEST(SkinsimExporter, CutsLargeArraysIntoPatchesOfLessThanAHundred) {
  SensorDescription sensor;
  sensor.vendor = "Acme";
  sensor.model = "Pad";
  sensor.arrays = {SensorArray{16, 32, 2e-3, 2e-3, {}, {}, {}, {}}};
  auto model = with(empty_model(sensor), {"stiffness.k=58.5", "damping.c_n=0.0583"});
  EXPECT_EQ(check_yaml(grid_of("skinsim", model).text, R"(
spec, = read[0]['spec']
x, y = spec['num_elements_x'], spec['num_elements_y']
assert x * spec['num_patches_x'] == 32 and y * spec['num_patches_y'] == 16 and x * y == 64
assert spec['spread_scaling'] == 0 and spec['spread_sigma'] > 0
)"),
            0);
  EXPECT_THAT(grid_refusal("skinsim", mujoco_model()),
              HasSubstr("elements are as long as they are wide"));
  EXPECT_THAT(grid_refusal("skinsim", wts_model()), HasSubstr("--assume stiffness.k="));
  EXPECT_EQ(check_yaml(grid_of("skinsim", square_model(two_grids_model())).text,
                       "assert [e['spec'][0]['init_x'] for e in read] == [0, 0.02]\n"),
            0);
}

TEST(RobworksimExporter, GivesRowsThenColumnsKilopascalsAndTheCornerOfTheFirstTactel) {
  auto model = two_grids_model();
  model.sensor.arrays[1].pose.rpy_rad = {0.1, 0.2, 0.3};
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(grid_of("robworksim", model).text.c_str()));
  std::vector<pugi::xml_node> sensors;
  for (const auto& node : document.child("DynamicWorkCell").children("TactileArraySensor"))
    sensors.push_back(node);
  ASSERT_EQ(sensors.size(), 2U);
  const auto text = [&](std::size_t i, const char* name) {
    return std::string(sensors[i].child(name).text().get());
  };
  EXPECT_EQ(text(0, "TexelArray"), "2 3");
  EXPECT_EQ(text(0, "TexelSize"), "0.0034 0.005");
  EXPECT_EQ(text(0, "Pos"), "-0.0051 -0.005 0");
  EXPECT_EQ(text(0, "RPY"), "0 0 0");
  // 0.2 N on 17 mm^2, and 0.01 N.
  EXPECT_NEAR(sensors[0].child("MaxForce").text().as_double(), 11.7647059, 1e-6);
  EXPECT_NEAR(sensors[0].child("MinForce").text().as_double(), 0.588235294, 1e-6);
  std::istringstream heights(text(0, "TexelHeightMap"));
  EXPECT_EQ(std::distance(std::istream_iterator<double>(heights), {}), 12);  // (2 + 1) (3 + 1)
  // Degrees about z, y and x.
  EXPECT_EQ(text(1, "RPY"), "17.1887339 11.4591559 5.72957795");
  EXPECT_THAT(grid_refusal("robworksim", mujoco_model()), HasSubstr("no largest pressure"));
}

}  // namespace
}  // namespace tactelier
