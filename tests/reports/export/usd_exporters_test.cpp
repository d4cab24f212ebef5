// Pads in USD: numbers by hand, and the files as TinyUSDZ reads them where npm has put it.
#include <gmock/gmock.h>

#include "libcalib/text_file.hpp"
#include "reports/export/exporter.hpp"
#include "tests/paths/paths.hpp"
#include "tests/reports/export/layout_models.hpp"
#include "tests/reports/export/run_files.hpp"

namespace tactelier {
namespace {

using namespace testing_models;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Exported usd_of(std::string_view format, const SensorModel& model) {
  auto written = (*exporter(format))->write(model);
  EXPECT_TRUE(written) << written.error().message;
  return written.value_or(Exported{});
}

std::string usd_refusal(std::string_view format, const SensorModel& model) {
  const auto written = (*exporter(format))->write(model);
  return written ? "accepted" : written.error().message;
}

bool has_reader() {
  return !std::string(TACTELIER_TINYUSDZ_NPM).empty() &&
         std::system("command -v node > /dev/null") == 0;
}

/// Text of a prim and its children, as another program reads and prints it.
std::string read_back(const std::string& text) {
  const test::TemporaryFolder folder;
  test::save_text(folder / "pad.usda", text);
  EXPECT_EQ(test::run_in(folder, fmt::format("node {}/tests/reports/export/read_usd.mjs {} "
                                             "pad.usda > read.usda 2> said.txt",
                                             paths::source_dir(), TACTELIER_TINYUSDZ_NPM)),
            0)
      << read_text_file(folder / "said.txt", 1 << 20).value_or("");
  return read_text_file(folder / "read.usda", 1 << 24).value_or("");
}

std::string prim_of(const std::string& text, const std::string& name) {
  const auto begin = text.find("\"" + name + "\"");
  if (begin == text.npos) return "no prim " + name;
  return text.substr(begin, text.find("\n    }", begin) + 1 - begin);
}

constexpr const char* kNoReader = "npm install tinyusdz@0.9.0-rc10 is not there";

TEST(NewtonExporter, HoldsTable2OfThePaperWhereNewtonLooksForIt) {
  const auto text = usd_of("newton", mujoco_model()).text;
  EXPECT_TRUE(text.starts_with("#usda 1.0\n#"));
  EXPECT_THAT(text, HasSubstr("prepend apiSchemas = [\"PhysicsMaterialAPI\", "
                              "\"NewtonMaterialAPI\"]"));
  EXPECT_THAT(text, HasSubstr("def Sphere \"t5_a0_r1_c2\" (\n        prepend apiSchemas = "
                              "[\"PhysicsCollisionAPI\", \"MaterialBindingAPI\"]"));
  if (!has_reader()) GTEST_SKIP() << kNoReader;
  const auto rubber = prim_of(read_back(text), "rubber");
  EXPECT_THAT(rubber, HasSubstr("float newton:contactStiffness = 58.5\n"));
  EXPECT_THAT(rubber, HasSubstr("float newton:contactDamping = 0.0583\n"));
  EXPECT_THAT(rubber, HasSubstr("float physics:staticFriction = 0.435\n"));
  EXPECT_THAT(rubber, HasSubstr("float physics:dynamicFriction = 0.23"));
}

TEST(UsdPads, PutEachTactelWithItsReadoutWhereItIs) {
  if (!has_reader()) GTEST_SKIP() << kNoReader;
  for (const auto* format : {"newton", "isaac"}) {
    const auto read = read_back(usd_of(format, read_model_2x3()).text);
    // Row 1, column 2 of 2 x 3 at 3.4 x 5 mm; the sphere of 1.7 mm touches the surface.
    const auto last = prim_of(read, "t5_a0_r1_c2");
    EXPECT_THAT(last, HasSubstr("double3 xformOp:translate = (0.0034, 0.0025, -0.0017)"));
    EXPECT_THAT(last, HasSubstr("double radius = 0.0017"));
    EXPECT_THAT(last, HasSubstr("rel material:binding:physics = </Acme_Pad_2x3_A_7/rubber>"));
    EXPECT_THAT(last, HasSubstr("int tactelier:row = 1"));
    EXPECT_THAT(last, HasSubstr("int tactelier:column = 2"));
    EXPECT_THAT(last, HasSubstr("double tactelier:gain_N_per_count = 0.0002"));
    // 0.01 N + 2e-4 N/count (1960 - 60) counts
    EXPECT_THAT(last, HasSubstr("double tactelier:saturation_N = 0.39"));
    const auto dead = prim_of(read, "t4_a0_r1_c1");
    EXPECT_THAT(dead, HasSubstr("bool tactelier:reads = 0"));
    EXPECT_THAT(dead, Not(HasSubstr("gain_N_per_count")));
  }
}

TEST(UsdPads, TurnCurvedAndTurnedArrays) {
  if (!has_reader()) GTEST_SKIP() << kNoReader;
  const auto arc = read_back(usd_of("newton", curved_model()).text);
  // 18 mm sin(0.2), and 20 mm (cos(0.2) - 1) - 2 mm cos(0.2): 2 mm below the surface.
  const auto right = prim_of(arc, "t2_a0_r0_c2");
  EXPECT_THAT(right, HasSubstr("translate = (0.00357604795, 0.0, -0.0023588016)"));
  EXPECT_THAT(right, HasSubstr("rotateXYZ = (0, 11.4591"));
  const auto two = read_back(usd_of("isaac", turned_mujoco_model()).text);
  // 0.5 rad about y are 28.6479 degrees,.
  EXPECT_THAT(prim_of(two, "t8_a1_r0_c2"), HasSubstr("rotateXYZ = (0, 28.64"));
  EXPECT_THAT(prim_of(two, "t9_a1_r0_c3"), HasSubstr("int tactelier:array = 1"));
}

TEST(NewtonExporter, WritesPressureByDepthWhereALayerIsWideEnough) {
  const auto exported = usd_of("newton", with(wts_model(), {"stiffness.k=58.5", "damping.c_n=0.1",
                                                            "sensor.thickness_m=0.006"}));
  ASSERT_EQ(exported.sidecars.size(), 1U);
  EXPECT_THAT(exported.sidecars[0].name, testing::EndsWith("_hydroelastic.usda"));
  EXPECT_THAT(exported.sidecars[0].text, HasSubstr("\"NewtonSDFCollisionAPI\""));
  if (!has_reader()) GTEST_SKIP() << kNoReader;
  const auto box = prim_of(read_back(exported.sidecars[0].text), "array_0");
  // 58.5 N/m over (3.4 mm)^2, to the digits of a float
  EXPECT_THAT(box, HasSubstr("float newton:hydroelasticStiffness = 5060553"));
  EXPECT_THAT(box, HasSubstr("bool newton:hydroelasticEnabled = 1"));
  EXPECT_THAT(box, HasSubstr("float newton:contactGap = 0\n"));
  EXPECT_THAT(box, HasSubstr("xformOp:scale = (0.0204, 0.0476, 0.012)"));
  EXPECT_THAT(box, HasSubstr("xformOp:translate = (0.0, 0.0, -0.006)"));
  EXPECT_TRUE(usd_of("newton", mujoco_model()).sidecars.empty());  // 6 mm under 10.2 x 10 mm
}

TEST(UsdPads, StopWithoutStiffnessAndDampingAndLeaveOutUnknownFriction) {
  for (const auto* format : {"newton", "isaac"}) {
    EXPECT_THAT(usd_refusal(format, wts_model()), HasSubstr("--assume stiffness.k="));
    EXPECT_THAT(usd_refusal(format, with(wts_model(), {"stiffness.k=58.5"})),
                HasSubstr("--assume damping.c_n="));
    auto model = mujoco_model();
    model.friction.mu_d = unidentifiable("", "FR-04 Record slides.", "friction");
    const auto exported = usd_of(format, model);
    EXPECT_THAT(exported.text, Not(HasSubstr("float physics:dynamicFriction")));
    EXPECT_THAT(exported.text, HasSubstr("dynamicFriction: not known and left out"));
    EXPECT_THAT(exported.losses, testing::Contains(testing::Field(&Loss::path, "friction.mu_d")));
  }
}

TEST(UsdPads, TakeNamesThatBeginWithADigitAndTextsThatEndComments) {
  auto model = mujoco_model();
  model.sensor.vendor = "3M\n\"";
  const auto text = usd_of("newton", model).text;
  EXPECT_THAT(text, HasSubstr("def Xform \"pad_3M_Pad_2x3_A_7\""));
  EXPECT_THAT(text, HasSubstr("</pad_3M_Pad_2x3_A_7/rubber>"));
  if (!has_reader()) GTEST_SKIP() << kNoReader;
  EXPECT_THAT(read_back(text), HasSubstr("def Xform \"pad_3M_Pad_2x3_A_7\""));
}

TEST(IsaacExporter, HoldsThePhysxMaterialAndTacslsParameters) {
  const auto exported = usd_of("isaac", mujoco_model());
  EXPECT_THAT(exported.text, HasSubstr("\"PhysxMaterialAPI\""));
  ASSERT_EQ(exported.sidecars.size(), 1U);
  const test::TemporaryFolder folder;
  test::save_text(folder / "tacsl.py", exported.sidecars[0].text);
  // Sliding friction from 1 mm/s on under half of 0.2 N: 0.23 * 0.1 N / 1 mm/s.
  test::save_text(folder / "read.py", R"(from tacsl import TACSL
array, = TACSL
assert array.pop('tactile_array_size') == (2, 3)
assert array == dict(tactile_margin=1.7e-3, normal_contact_stiffness=58.5,
                     tangential_stiffness=23, friction_coefficient=0.23), array
line, = [line for line in open('tacsl.py') if 'tacsl_sensor.py' in line]
words = line.split()[line.split().index('--use_tactile_ff') + 1:]
numbers = dict(zip(words[::2], map(float, words[1::2])))
assert numbers == {'--normal_contact_stiffness': 58.5, '--tactile_compliance_stiffness': 58.5,
                   '--tactile_compliant_damping': 0.0583, '--tangential_stiffness': 23,
                   '--friction_coefficient': 0.23}, numbers
)");
  EXPECT_EQ(test::run_in(folder, "/usr/bin/python3 read.py"), 0);
  if (!has_reader()) GTEST_SKIP() << kNoReader;
  const auto rubber = prim_of(read_back(exported.text), "rubber");
  EXPECT_THAT(rubber, HasSubstr("float physxMaterial:compliantContactStiffness = 58.5\n"));
  EXPECT_THAT(rubber, HasSubstr("float physxMaterial:compliantContactDamping = 0.0583\n"));
  EXPECT_THAT(rubber, HasSubstr("bool physxMaterial:compliantContactAccelerationSpring = 0\n"));
}

TEST(IsaacExporter, SaysWhichArraysTacslCanNotLay) {
  const auto exported = usd_of("isaac", turned_mujoco_model());
  EXPECT_THAT(exported.sidecars.at(0).text, HasSubstr("# array 1: not a flat grid"));
  std::vector<std::string> paths;
  for (const auto& loss : exported.losses)
    if (loss.path.starts_with("sensor.arrays")) paths.push_back(loss.path);
  EXPECT_THAT(paths, ElementsAre("sensor.arrays[0].pitch", "sensor.arrays[1]"));
}

}  // namespace
}  // namespace tactelier
