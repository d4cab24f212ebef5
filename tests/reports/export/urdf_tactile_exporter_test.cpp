// The layout as other readers see it (pugixml, check_urdf), the calibration as PyYAML does and as
// tactile_state_calibrator applies it, against numbers worked by hand.
#include <gmock/gmock.h>

#include <pugixml.hpp>
#include <sstream>

#include "reports/export/exporter.hpp"
#include "tests/reports/export/mujoco_models.hpp"
#include "tests/reports/export/run_files.hpp"

namespace tactelier {
namespace {

using namespace testing_models;
using testing::HasSubstr;

Exported urdf_of(const SensorModel& model) {
  auto written = (*exporter("urdf-tactile"))->write(model);
  EXPECT_TRUE(written) << written.error().message;
  auto exported = written.value_or(Exported{});
  if (exported.sidecars.empty()) exported.sidecars.push_back({});
  return exported;
}

std::vector<double> words(const pugi::xml_attribute& attribute) {
  std::istringstream text(attribute.value());
  return {std::istream_iterator<double>(text), {}};
}

pugi::xml_node taxel(const pugi::xml_document& document, const char* idx) {
  return document.child("robot").child("sensor").child("tactile").find_child_by_attribute(
      "taxel", "idx", idx);
}

TEST(UrdfTactileExporter, ListsEachTaxelWithItsPoseAndSize) {
  auto model = line_model();
  model.sensor.arrays = {SensorArray{2, 3, 3.4e-3, 5e-3, {}, {}, {}, {}}};
  model.response.tactels.resize(6);
  model.timing.rate_hz = identified(270, "Hz");
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(urdf_of(model).text.c_str()));
  const auto sensor = document.child("robot").child("sensor");
  EXPECT_STREQ(sensor.child("parent").attribute("link").value(), "pad");
  EXPECT_EQ(sensor.attribute("update_rate").as_double(), 270);
  EXPECT_STREQ(sensor.child("tactile").attribute("channel").value(),
               sensor.attribute("name").value());
  // Row 1 of 2 along +y, column 2 of 3 along +x.
  EXPECT_THAT(words(taxel(document, "5").attribute("xyz")),
              testing::ElementsAre(3.4e-3, 2.5e-3, 0));
  EXPECT_THAT(words(taxel(document, "5").child("geometry").child("box").attribute("size")),
              testing::ElementsAre(3.4e-3, 5e-3, 5e-4));
  EXPECT_FALSE(taxel(document, "6"));
}

TEST(UrdfTactileExporter, TurnsTaxelsWithTheirArraysAndNormals) {
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(urdf_of(two_arrays_model()).text.c_str()));
  EXPECT_THAT(words(taxel(document, "8").attribute("rpy")), testing::ElementsAre(0, 0.5, 0));
  auto round = two_arrays_model();
  round.sensor.arrays[0].positions_m.assign(6, Vector3{0, 0, 0});
  round.sensor.arrays[0].normals.assign(6, Vector3{0, 2, 0});
  ASSERT_TRUE(document.load_string(urdf_of(round).text.c_str()));
  // +z onto +y: a quarter turn back about x.
  EXPECT_NEAR(words(taxel(document, "3").attribute("rpy"))[0], -1.570796327, 1e-8);
}

TEST(UrdfTactileExporter, IsReadByCheckUrdf) {
  if (std::system("command -v check_urdf > /dev/null") != 0)
    GTEST_SKIP() << "liburdfdom-tools is not installed";
  auto odd = two_arrays_model();
  odd.sensor.vendor = "a<b>&\"c\"\x01--";
  for (const auto& model : {line_model(), two_arrays_model(), odd}) {
    const test::TemporaryFolder folder;
    test::save_text(folder / "pad.urdf", urdf_of(model).text);
    EXPECT_EQ(test::run_in(folder, "check_urdf pad.urdf > said.txt 2>&1"), 0);
    EXPECT_EQ(test::run_in(folder, "grep -q 'Successfully Parsed XML' said.txt"), 0);
  }
}

/// tactile_state_calibrator: a map per index from 0 without holes; between two knots a straight
/// line, beyond the ends the end. Arguments: tactels, then tactel:reading:newtons:tolerance.
constexpr const char* kCalibrator = R"(import bisect, math, sys, yaml
maps = {}
for entry in yaml.safe_load(open('pad.yaml'))['calib']:
    assert entry['type'] == 'PWL'
    for i in entry['idx_range']:
        maps[i] = sorted(entry['values'].items())
assert sorted(maps) == list(range(int(sys.argv[1]))), sorted(maps)
for wanted in sys.argv[2:]:
    i, reading, newtons, tolerance = (float(word) for word in wanted.split(':'))
    knots = maps[int(i)]
    at = bisect.bisect_right([k for k, _ in knots], reading)
    if at in (0, len(knots)):
        seen = knots[0 if at == 0 else -1][1]
    else:
        (x0, y0), (x1, y1) = knots[at - 1], knots[at]
        seen = y0 + (reading - x0) / (x1 - x0) * (y1 - y0)
    right = math.isnan(seen) if math.isnan(newtons) else abs(seen - newtons) <= tolerance
    assert right, f'{wanted}: {seen}'
)";

int calibrated(const SensorModel& model, const std::string& wanted) {
  const test::TemporaryFolder folder;
  test::save_text(folder / "pad.yaml", urdf_of(model).sidecars[0].text);
  test::save_text(folder / "read.py", kCalibrator);
  return test::run_in(
      folder, fmt::format("/usr/bin/python3 read.py {} {}", model.sensor.tactels(), wanted));
}

TEST(UrdfTactileExporter, CalibratesWithThresholdGainAndSaturation) {
  // 0.1 N + (reading - 60) / 700 N above 60 + 3 * 4 counts, to 3840; tactel 7 is dead, 8 has no
  // threshold: 0.1 + 8/700 falls away.
  EXPECT_EQ(calibrated(line_model(),
                       "0:1000:1.442857143:1e-8 0:72:0.117142857:1e-8 0:71:0:1e-9 0:0:0:0 "
                       "0:3840:5.5:1e-8 0:4095:5.5:1e-8 7:1000:nan:0 8:62:0:1e-8 "
                       "8:770.666667:1:1e-8"),
            0);
  // The same, mirrored at (10 + 4095) / 2.
  EXPECT_EQ(calibrated(falling_model(), "0:3105:1.442857143:1e-8 0:4034:0:1e-9 0:10:5.5:1e-8"), 0);
}

TEST(UrdfTactileExporter, CalibratesByKnotsAsTheyAre) {
  auto model = line_model();
  model.response.model = "monotone";
  model.validity.force_N = {{0.0, 1.5}};
  model.response.tactels[0].knots = {{0.1, 80}, {0.5, 460}, {1.5, 960}};
  EXPECT_EQ(calibrated(model, "0:270:0.3:1e-8 0:710:1:1e-8 0:2000:1.5:1e-8 0:50:0:0"), 0);
  for (const auto& loss : urdf_of(model).losses)
    EXPECT_THAT(loss.reason, testing::Not(HasSubstr("straight lines")));
}

TEST(UrdfTactileExporter, CutsALawIntoLinesAndSaysHowFarTheyAreOff) {
  const auto exported = urdf_of(divider_model());
  const auto loss = std::find_if(exported.losses.begin(), exported.losses.end(), [](const auto& l) {
    return l.reason.find("straight lines") != std::string::npos;
  });
  ASSERT_NE(loss, exported.losses.end());
  // 4040 - 3000 F / (F + 0.5): half of the way at 0.5 N, three quarters at 1.5 N.
  EXPECT_EQ(calibrated(divider_model(), "0:2540:0.5:0.005 0:3290:0.166666667:0.005"), 0);
}

TEST(UrdfTactileExporter, StopsWithoutNewtons) {
  const auto written = (*exporter("urdf-tactile"))->write(wts_model());
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("no tactel has newtons"));
}

}  // namespace
}  // namespace tactelier
