// A sensor whose readings fall under load, in every format: newtons are those of its mirror, and a
// file that holds an offset says which way readings go from it.
#include <gmock/gmock.h>

#include <regex>
#include <set>

#include "reports/export/exporter.hpp"
#include "tests/reports/export/layout_models.hpp"

namespace tactelier {
namespace {

using namespace testing_models;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr double kFullScale_counts = 4095;

/// Rises from 60 counts, by 10 per mN from 0.01 N on, to 1960 counts; square, every slot filled.
SensorModel rising_pad() {
  auto model = with(read_model_2x3(), {"psf.kernel_sampled.s=0.4", "sensor.thickness_m=0.001"});
  model.sensor.arrays[0].pitch_y_m = model.sensor.arrays[0].pitch_x_m;
  model.sensor.adc.min = 0;
  model.stiffness.linear_to = identified(1e-5, "m");
  for (const double d : {0.0, 1e-3, 2e-3, 3e-3, 4e-3})
    model.stiffness.curve.push_back({d, d * (58.5 + d * (1e4 + d * 2e6))});
  for (auto& tactel : model.response.tactels) {
    tactel.press_gain = identified(1.25e-4, "N/count");
    tactel.press_threshold = identified(0.0125, "N");
  }
  return model;
}

/// The same forces, read as what is left of the full scale.
SensorModel falling_pad() {
  auto model = rising_pad();
  model.sensor.falling = true;
  for (auto& tactel : model.response.tactels) {
    tactel.offset = identified(kFullScale_counts - *tactel.offset.value, "counts");
    tactel.saturation = identified(kFullScale_counts - *tactel.saturation.value, "counts");
  }
  return model;
}

/// Every file that the format writes; lines that name the model are left out.
std::string written(const Exporter& format, const SensorModel& model) {
  const auto exported = format.write(model);
  EXPECT_TRUE(exported) << format.id() << ": " << exported.error().message;
  if (!exported) return {};
  auto text = exported->text;
  for (const auto& sidecar : exported->sidecars) text += "\n" + sidecar.text;
  return std::regex_replace(text, std::regex("[^\n]*[0-9a-f]{64}[^\n]*\n"), "");
}

std::multiset<std::string> numbers_of(const std::string& text) {
  static const std::regex kNumber("-?[0-9]+(\\.[0-9]+)?(e-?[0-9]+)?");
  return {std::sregex_token_iterator(text.begin(), text.end(), kNumber), {}};
}

/// Numbers that stand in the one text and not in the other.
std::set<double> only_in(const std::string& text, const std::string& other) {
  const auto these = numbers_of(text), those = numbers_of(other);
  std::set<double> only;
  for (const auto& number : these)
    if (those.count(number) == 0) only.insert(std::stod(number));
  return only;
}

/// Formats that make newtons of readings by themselves, each with falling readings in a test of its
/// own, are no plain list of the model's numbers.
bool turns_readings(const Exporter& format) {
  return format.id() == "runtime-cpp" || format.id() == "runtime-python" ||
         format.id() == "urdf-tactile";
}

TEST(FallingExports, DifferFromTheirMirrorByOffsetAndSaturationInCountsAlone) {
  for (const auto* format : exporters()) {
    SCOPED_TRACE(format->id());
    if (turns_readings(*format)) continue;
    const auto rising = written(*format, rising_pad()), falling = written(*format, falling_pad());
    for (const double number : only_in(falling, rising))
      EXPECT_THAT(number, testing::AnyOf(4035, 2135, 1)) << "readings, or a flag";
  }
}

TEST(FallingExports, SayThatReadingsFallWhereverAnOffsetStands) {
  std::set<std::string_view> with_an_offset, unsaid;
  for (const auto* format : exporters()) {
    if (turns_readings(*format)) continue;
    const auto text = written(*format, falling_pad());
    if (numbers_of(text).count("4035") + numbers_of(text).count("4035.0") == 0) continue;
    with_an_offset.insert(format->id());
    // "falling": true, falling: true, <falling>true, tactelier:falling>1, tactelier_falling"
    // data="1"
    if (!std::regex_search(text, std::regex("falling[^\n]{0,12}(true|1)")))
      unsaid.insert(format->id());
  }
  EXPECT_THAT(unsaid, IsEmpty());
  EXPECT_THAT(with_an_offset, UnorderedElementsAre("json", "xml", "image-model", "image-model-yaml",
                                                   "mujoco", "mujoco-3.7", "sdf", "sdf-ode",
                                                   "newton", "isaac", "genesis", "chrono"));
}

TEST(FallingExports, TellTheReaderOfASimulatedHandToTakeItsReadingsFromTheOffset) {
  const auto& format = **exporter("schunk");
  EXPECT_THAT(written(format, falling_pad()), HasSubstr("offset minus what the node says"));
  EXPECT_THAT(written(format, rising_pad()), HasSubstr("offset and what the node says"));
}

TEST(FallingExports, TakeThePressGainOfATactelThatStandsAlone) {
  auto model = falling_pad();
  model.sensor.arrays = {SensorArray{1, 1, 5e-3, 5e-3, {}, {}, {}, {}}};
  model.response.tactels.resize(1);
  model.response.tactels[0].gain = unidentifiable("N/count", "PS-01 The sensor has one tactel.");
  for (const auto* id : {"schunk", "image-model"}) {
    const auto refused = (*exporter(id))->write(model);
    ASSERT_FALSE(refused) << id;
    EXPECT_THAT(refused.error().message,
                HasSubstr("--assume response.tactels[0].gain=0.000125, its press_gain"));
  }
  // 1 / 1.25e-4 = 8000 counts per N, 1900 counts from the offset.
  const auto text =
      written(**exporter("schunk"), with(model, {"response.tactels[0].gain=0.000125"}));
  EXPECT_THAT(text, HasSubstr("output_range: 1900.0"));
  EXPECT_THAT(text, HasSubstr("sensitivity: 8000.0"));
}

}  // namespace
}  // namespace tactelier
