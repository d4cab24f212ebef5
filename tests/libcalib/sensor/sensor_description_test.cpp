#include "libcalib/sensor/sensor_description.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>

namespace tactelier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

SensorDescription parsed(std::string_view text) {
  auto sensor = parse_sensor(text, "s.json", true);
  EXPECT_TRUE(sensor) << sensor.error().message;
  return sensor.value_or(SensorDescription{});
}

std::string refusal(std::string_view text) {
  const auto sensor = parse_sensor(text, "s.json", true);
  if (sensor) return "accepted";
  EXPECT_EQ(sensor.error().code, ErrorCode::kInvalidInput);
  return sensor.error().message;
}

/// A 2 x 3 grid with more keys in front of its end.
std::string grid(std::string_view more) {
  return fmt::format(R"({{"rows": 2, "columns": 3, "pitch_x_mm": 4, "pitch_y_mm": 5{}}})", more);
}

TEST(SensorDescription, ConvertsToSi) {
  const auto sensor = parsed(grid(
      R"(, "area_mm2": 120, "adc": {"bits": 12, "min": 0, "max": 4095}, "rate_hz": 50,
         "thickness_mm": 3, "max_force_N": 2, "max_pressure_MPa": 0.5, "falling": true,
         "channels": 3, "vendor": "V", "model": "M", "mesh": "tip.stl")"));
  ASSERT_EQ(sensor.arrays.size(), 1U);
  EXPECT_EQ(sensor.tactels(), 6);
  EXPECT_DOUBLE_EQ(sensor.arrays[0].pitch_x_m, 4e-3);
  EXPECT_DOUBLE_EQ(sensor.arrays[0].pitch_y_m, 5e-3);
  EXPECT_DOUBLE_EQ(sensor.sensing_area_m2(), 120e-6);
  EXPECT_EQ(sensor.adc, (Adc{12, 0.0, 4095.0}));
  EXPECT_EQ(sensor.rate_hz, 50.0);
  EXPECT_DOUBLE_EQ(*sensor.thickness_m, 3e-3);
  EXPECT_EQ(sensor.max_force_N, 2.0);
  EXPECT_DOUBLE_EQ(*sensor.max_pressure_Pa, 5e5);
  EXPECT_TRUE(sensor.falling);
  EXPECT_EQ(sensor.channels, 3);
}

TEST(SensorDescription, LeavesUnknownNumbersEmpty) {
  const auto sensor = parsed(grid(R"(, "thickness_mm": null, "rate_hz": null, "area_mm2": null)"));
  EXPECT_FALSE(sensor.thickness_m);
  EXPECT_FALSE(sensor.rate_hz);
  EXPECT_FALSE(sensor.max_force_N);
  EXPECT_FALSE(sensor.adc.bits);
  EXPECT_DOUBLE_EQ(sensor.sensing_area_m2(), 2 * 3 * 4e-3 * 5e-3);
}

TEST(SensorDescription, NumbersTactelsRowByRowAroundTheCentre) {
  // docs/theory/conventions.md 1: tactel (i, j) at ((j - (columns-1)/2) pitch_x, (i - (rows-1)/2)
  // pitch_y, 0).
  const auto wts = load_sensor("weiss-wts0614");
  ASSERT_TRUE(wts) << wts.error().message;
  ASSERT_EQ(wts->tactels(), 84);
  EXPECT_NEAR(wts->position_m(0)[0], -8.5e-3, 1e-15);
  EXPECT_NEAR(wts->position_m(0)[1], -22.1e-3, 1e-15);
  EXPECT_NEAR(wts->position_m(5)[0], 8.5e-3, 1e-15);
  EXPECT_NEAR(wts->position_m(14)[0], -1.7e-3, 1e-15);  // row 2, column 2
  EXPECT_NEAR(wts->position_m(14)[1], -15.3e-3, 1e-15);
  EXPECT_NEAR(wts->position_m(83)[1], 22.1e-3, 1e-15);
  EXPECT_EQ(wts->position_m(83)[2], 0);
}

TEST(SensorDescription, PlacesEachArrayByItsPose) {
  const auto sensor = parsed(R"({"arrays": [
      {"rows": 1, "columns": 2, "pitch_x_mm": 10, "pitch_y_mm": 10},
      {"rows": 1, "columns": 2, "pitch_x_mm": 10, "pitch_y_mm": 10,
       "pose": {"position_mm": [100, 0, 7], "rpy_deg": [0, 0, 90]}},
      {"rows": 1, "columns": 2, "pitch_x_mm": 10, "pitch_y_mm": 10,
       "pose": {"rpy_deg": [90, 90, 0]}}]})");
  ASSERT_EQ(sensor.tactels(), 6);
  const auto second = sensor.position_m(3);  // (5, 0, 0) turned to (0, 5, 0)
  EXPECT_NEAR(second[0], 0.1, 1e-15);
  EXPECT_NEAR(second[1], 5e-3, 1e-15);
  EXPECT_NEAR(second[2], 7e-3, 1e-15);
  const auto third = sensor.position_m(5);  // roll leaves +x, pitch by 90 deg turns it to -z
  EXPECT_NEAR(third[0], 0, 1e-15);
  EXPECT_NEAR(third[2], -5e-3, 1e-15);
  EXPECT_EQ(&sensor.array_of(1), &sensor.arrays[0]);
  EXPECT_EQ(&sensor.array_of(2), &sensor.arrays[1]);
}

TEST(SensorDescription, TurnsByRollPitchYawAboutTheFixedAxes) {
  // NumPy: Rz(50 deg) Ry(40 deg) Rx(30 deg) (1, 2, 3)
  const auto sensor = parsed(R"({"arrays": [
      {"positions_mm": [[1, 2, 3]], "pose": {"rpy_deg": [30, 40, 50]}}]})");
  const auto position = sensor.position_m(0);
  EXPECT_NEAR(position[0], 1.8012810619192337e-3, 1e-15);
  EXPECT_NEAR(position[1], 2.507690147191264e-3, 1e-15);
  EXPECT_NEAR(position[2], 2.1134986779392544e-3, 1e-15);
}

TEST(SensorDescription, TakesListedPositionsAndNormals) {
  const auto sensor = parsed(R"({"positions_mm": [[0, 0, 0], [1, 2, 3], [4, 0, -1]],
                                 "normals": [[0, 0, 1], [0, 3, 4], [1, 0, 0]]})");
  EXPECT_EQ(sensor.tactels(), 3);
  EXPECT_THAT(sensor.position_m(1), ElementsAre(1e-3, 2e-3, 3e-3));
  EXPECT_THAT(sensor.arrays[0].normals[1], ElementsAre(0, 0.6, 0.8));
  EXPECT_EQ(sensor.sensing_area_m2(), 0) << "no area is known";
}

TEST(SensorDescription, RefusesImpossibleSensors) {
  const auto replaced = [](std::string text, std::string_view from, std::string_view to) {
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_EQ(refusal(replaced(grid(""), "\"rows\": 2", "\"rows\": 0")),
            "s.json: rows: must be at least 1, found 0");
  EXPECT_EQ(refusal(replaced(grid(""), "\"pitch_x_mm\": 4", "\"pitch_x_mm\": -3.4")),
            "s.json: pitch_x_mm: must be more than 0, found -3.4");
  EXPECT_EQ(refusal(replaced(grid(""), "\"columns\": 3, ", "")),
            "s.json: key 'columns' is missing");
  EXPECT_EQ(refusal(grid(R"(, "adc": {"min": 4095, "max": 0})")),
            "s.json: adc: min 4095 is not below max 0");
  EXPECT_EQ(refusal(grid(R"(, "adc": {"bits": 33})")),
            "s.json: adc.bits: must be at most 32, found 33");
  EXPECT_EQ(refusal(grid(R"(, "adc": {"bits": 8, "min": 0, "max": 4095})")),
            "s.json: adc: 0 .. 4095 counts don't fit into 8 bits");
  EXPECT_EQ(refusal(grid(R"(, "positions_mm": [[0, 0, 0]])")),
            "s.json: 1 positions_mm for 2 x 3 tactels; one per tactel is needed");
  EXPECT_EQ(refusal(R"({"rows": 2000, "columns": 2000, "pitch_x_mm": 1, "pitch_y_mm": 1})"),
            "s.json: 2000 x 2000 tactels are more than 1000000");
  EXPECT_THAT(refusal(R"({"rows": 2, "columns": 2, "pitch_x_mm": 1e6, "pitch_y_mm": 1})"),
              HasSubstr("is impossible; pitches are in mm"));
  EXPECT_EQ(refusal(R"({"positions_mm": [[0, 0, 0]], "normals": [[0, 0, 0]]})"),
            "s.json: normals[0]: has no direction");
  EXPECT_EQ(refusal(R"({"positions_mm": [[0, 0, 0]], "normals": [[0, 0, 1], [0, 0, 1]]})"),
            "s.json: 2 normals for 1 positions_mm; one per tactel is needed");
  EXPECT_EQ(refusal(R"({"arrays": []})"), "s.json: arrays: expected at least 1 entries, found 0");
  EXPECT_EQ(refusal(grid(R"(, "arrays": [{}])")),
            "s.json: 'rows' belongs into the entries of 'arrays'");
  EXPECT_THAT(refusal(R"({"mesh": "tip.stl"})"), HasSubstr("add rows, columns and pitches"));
  EXPECT_EQ(refusal("{}"), "s.json: key 'rows' is missing");
}

TEST(SensorDescription, WantsFormatVersionAndSourceInAFileOnly) {
  EXPECT_EQ(refusal(grid("")), "accepted");
  const auto as_file = [](const std::string& text) {
    const auto sensor = parse_sensor(text, "s.json", false);
    return sensor ? "accepted" : sensor.error().message;
  };
  EXPECT_THAT(as_file(grid("")), HasSubstr("key 'format' is missing"));
  EXPECT_THAT(as_file(grid(R"(, "format": "tactelier/sensor", "version": 1)")),
              HasSubstr("key 'source' is missing"));
  EXPECT_THAT(as_file(grid(R"(, "format": "tactelier/sensor", "version": 2, "source": "x")")),
              HasSubstr("update Tactelier"));
  EXPECT_EQ(as_file(grid(R"(, "format": "tactelier/sensor", "version": 1, "source": "x")")),
            "accepted");
}

TEST(LoadSensor, EveryShippedDescriptionLoadsAndIsPlausible) {
  const auto names = shipped_sensors();
  EXPECT_THAT(names, testing::IsSupersetOf({"contactile-papillarray", "koiva-barometers-5x5", "myrmex-16x16",
                                            "pps-digitacts-6x4", "tekscan-grip-4256e-fingertip",
                                            "weiss-wts0614"}));
  for (const auto& name : names) {
    const auto sensor = load_sensor(name);
    ASSERT_TRUE(sensor) << sensor.error().message;
    EXPECT_EQ(sensor->name, name);
    EXPECT_THAT(sensor->source, testing::Not(IsEmpty())) << name;
    EXPECT_THAT(check_sensor(*sensor), IsEmpty()) << name;
  }
  EXPECT_EQ(load_sensor("myrmex-16x16")->tactels(), 256);
  EXPECT_EQ(load_sensor("pps-digitacts-6x4")->tactels(), 24);
  EXPECT_EQ(load_sensor("koiva-barometers-5x5")->tactels(), 25);
  EXPECT_EQ(load_sensor("tekscan-grip-4256e-fingertip")->tactels(), 16);
  EXPECT_EQ(load_sensor("contactile-papillarray")->channels, 3);
}

TEST(LoadSensor, OffersTheNameThatWasProbablyMeant) {
  const auto sensor = load_sensor("weis-wts0614");
  ASSERT_FALSE(sensor);
  EXPECT_THAT(sensor.error().message,
              HasSubstr("unknown sensor 'weis-wts0614' (did you mean 'weiss-wts0614'?)"));
}

TEST(LoadSensor, ReadsAFileByItsPath) {
  const auto folder = std::filesystem::path(testing::TempDir());
  const auto file = folder / "own-pad.json";
  std::ofstream(file) << grid(R"(, "format": "tactelier/sensor", "version": 1, "source": "x")");
  const auto sensor = load_sensor(file.string());
  std::filesystem::remove(file);
  ASSERT_TRUE(sensor) << sensor.error().message;
  EXPECT_EQ(sensor->name, "own-pad");
  const auto missing = load_sensor((folder / "none.json").string());
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kIo);
  EXPECT_THAT(missing.error().message, HasSubstr("none.json: cannot open it: No such file"));
}

TEST(CheckSensor, NamesTheAreaOfThePapersArray) {
  // docs/theory/conventions.md 4 #16: 84 tactels of 3.4 mm cover 971.04 mm2, the paper says 1250
  // mm2.
  const auto sensor = parsed(
      R"({"rows": 14, "columns": 6, "pitch_x_mm": 3.4, "pitch_y_mm": 3.4, "area_mm2": 1250})");
  const auto warnings = check_sensor(sensor);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].code, "CV-05");
  EXPECT_EQ(warnings[0].text,
            "84 tactels of 3.4 mm cover 971.04 mm², the file says 1250 mm²: k from eq. 18 scales "
            "with this.");
}

TEST(CheckSensor, AllowsFivePercentOfArea) {
  // 6 tactels of 4 mm x 5 mm cover 120 mm2.
  EXPECT_THAT(check_sensor(parsed(grid(R"(, "area_mm2": 125.9)"))), IsEmpty());
  EXPECT_THAT(check_sensor(parsed(grid(R"(, "area_mm2": 126.1)"))), testing::SizeIs(1));
  EXPECT_THAT(check_sensor(parsed(grid(R"(, "area_mm2": 113.9)"))), testing::SizeIs(1));
}

}  // namespace
}  // namespace tactelier
