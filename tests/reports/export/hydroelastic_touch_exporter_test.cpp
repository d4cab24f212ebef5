// What HydroelasticTouch is given, as MuJoCo and PyYAML read it, against numbers worked by hand.
#include <gmock/gmock.h>

#include <pugixml.hpp>
#include <sstream>

#include "reports/export/exporter.hpp"
#include "tests/reports/export/mujoco_models.hpp"
#include "tests/reports/export/run_files.hpp"

#ifdef TACTELIER_MUJOCO
#include <mujoco/mujoco.h>
#endif

namespace tactelier {
namespace {

using namespace testing_models;
using testing::HasSubstr;

/// 14 x 6 tactels of 3.4 mm on 6 mm.
SensorModel touch_model() {
  auto model = with(wts_model(), {"stiffness.k=58.5", "damping.c_n=0.1", "sensor.thickness_m=0.006",
                                  "friction.mu_s=0.435", "friction.mu_d=0.23"});
  model.validity.force_N = {{0.0, 0.2}};
  return model;
}

Exported touch_of(const SensorModel& model) {
  auto written = (*exporter("hydroelastic-touch"))->write(model);
  EXPECT_TRUE(written) << written.error().message;
  return written.value_or(Exported{"", {}, {}, {{"", ""}}});
}

std::string touch_refusal(const SensorModel& model) {
  const auto written = (*exporter("hydroelastic-touch"))->write(model);
  return written ? "accepted" : written.error().message;
}

std::vector<double> five_numbers(const Exported& exported) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(exported.text.c_str()));
  const auto root = document.child("mujoco");
  const auto name = std::string("cs::") +
                    root.child("worldbody").child("body").child("geom").attribute("name").value();
  std::istringstream text(root.child("custom")
                              .find_child_by_attribute("numeric", "name", name.c_str())
                              .attribute("data")
                              .value());
  return {std::istream_iterator<double>(text), {}};
}

TEST(HydroelasticTouchExporter, WritesFiveNumbersForEachBox) {
  const auto numbers = five_numbers(touch_of(touch_model()));
  ASSERT_EQ(numbers.size(), 5U);
  EXPECT_NEAR(numbers[0], 30363.3218, 1e-3);  // 58.5 N/m * 6 mm / 11.56 mm^2
  EXPECT_NEAR(numbers[1], 0.415, 1e-9);       // (0.1 - 1 ms * 58.5) N s/m / 0.1 N
  EXPECT_EQ(numbers[2], 0);
  EXPECT_EQ(numbers[3], 0.435);
  EXPECT_EQ(numbers[4], 0.23);
}

TEST(HydroelasticTouchExporter, SaysWhenThePluginDampsMoreThanTheModel) {
  const auto exported = touch_of(with(touch_model(), {"damping.c_n=0.01"}));
  EXPECT_EQ(five_numbers(exported)[1], 0);
  ASSERT_FALSE(exported.warnings.empty());
  EXPECT_EQ(exported.warnings.back().code, "STEP-DAMPING");
}

TEST(HydroelasticTouchExporter, ListsTactelsOnTheFaceOfTheirBoxRowByRow) {
  const test::TemporaryFolder folder;
  const auto exported = touch_of(touch_model());
  test::save_text(folder / "touch.yaml", exported.sidecars.at(0).text);
  test::save_text(folder / "read.py", R"(import yaml
plugin, = yaml.safe_load(open('touch.yaml'))['MujocoPlugins']
sensor, = plugin['SurfacePlugins']
assert sensor['type'].endswith('/TaxelSensor') and sensor['method'] == 'closest'
for name in ('sensorName', 'geomName', 'topicName'):
    assert isinstance(sensor[name], str)
for name in ('updateRate', 'include_margin', 'sample_resolution'):
    assert isinstance(sensor[name], float) and sensor[name] > 0, name
taxels = sensor['taxels']
assert len(taxels) == 84
assert max(abs(a - b) for a, b in zip(taxels[0], (-0.0085, -0.0221, 0.006))) < 1e-9, taxels[0]
assert max(abs(a - b) for a, b in zip(taxels[7], (-0.0051, -0.0187, 0.006))) < 1e-9, taxels[7]
)");
  EXPECT_EQ(test::run_in(folder, "/usr/bin/python3 read.py"), 0);
}

TEST(HydroelasticTouchExporter, StopsWhereANumberIsMissingOrThePadIsNotFlat) {
  EXPECT_THAT(touch_refusal(wts_model()), HasSubstr("--assume stiffness.k="));
  auto sliding = touch_model();
  sliding.friction.mu_s = unidentifiable("", "FR-04", "friction");
  EXPECT_THAT(touch_refusal(sliding), HasSubstr("--assume friction.mu_s="));
  auto anywhere = touch_model();
  anywhere.validity.force_N.reset();
  EXPECT_THAT(touch_refusal(anywhere), HasSubstr("the range of force is not known"));
  auto round = touch_model();
  round.sensor.arrays[0].normals.assign(84, Vector3{0, 0, 1});
  EXPECT_THAT(touch_refusal(round), HasSubstr("not a flat grid"));
  EXPECT_THAT(touch_refusal(mujoco_model()), HasSubstr("narrower than twice its layer of 6 mm"));
  EXPECT_EQ(touch_refusal(touch_model()), "accepted");
}

TEST(HydroelasticTouchExporter, LoadsInMujocoWithItsUpperFaceAtTheSurface) {
#ifdef TACTELIER_MUJOCO
  auto turned = touch_model();
  turned.sensor.arrays[0].pose = {{0.01, 0, 0.02}, {0.3, 0.5, 0.7}};
  const test::TemporaryFolder folder;
  test::save_text(folder / "pad.xml", touch_of(turned).text);
  char error[1000] = "";
  mjModel* model = mj_loadXML((folder / "pad.xml").c_str(), nullptr, error, sizeof error);
  ASSERT_NE(model, nullptr) << error;
  mjData* data = mj_makeData(model);
  mj_forward(model, data);
  EXPECT_EQ(model->ngeom, 1);
  EXPECT_EQ(model->numeric_size[model->nnumeric - 1], 5);
  // Rz(0.7) Ry(0.5) Rx(0.3) z = (0.5407, 0.0690, 0.8384): to (0.01, 0, 0.02) from the box's centre.
  EXPECT_NEAR(data->geom_xpos[0] + 0.006 * data->geom_xmat[2], 0.01, 1e-9);
  EXPECT_NEAR(data->geom_xpos[2] + 0.006 * data->geom_xmat[8], 0.02, 1e-9);
  EXPECT_NEAR(data->geom_xmat[2], 0.540687, 1e-5);
  EXPECT_NEAR(data->geom_xmat[8], 0.838387, 1e-5);
  EXPECT_NEAR(model->geom_size[2], 0.006, 1e-12);
  mj_deleteData(data);
  mj_deleteModel(model);
#else
  GTEST_SKIP() << "libmujoco-dev is not installed";
#endif
}

}  // namespace
}  // namespace tactelier
