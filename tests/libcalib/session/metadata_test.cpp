#include "libcalib/session/metadata.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace tactelier {
namespace {

constexpr std::string_view kMinimal =
    R"({"format": "tactelier/session", "version": 1, "sensor": "weiss-wts0614"})";

/// The minimal document with further keys.
std::string with(std::string_view keys) {
  return fmt::format("{}, {}}}", kMinimal.substr(0, kMinimal.size() - 1), keys);
}

std::string message_of(std::string_view text) {
  const auto parsed = parse_session_metadata(text, "session.json");
  EXPECT_FALSE(parsed.has_value()) << text;
  if (parsed) return "";
  EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidInput);
  return parsed.error().message;
}

TEST(SessionMetadata, ReadsTheContractsExampleIntoSi) {
  const auto parsed = parse_session_metadata(R"({
  "format": "tactelier/session", "version": 1,
  "created": "2026-11-20T10:00:00Z",
  "sensor": "weiss-wts0614",
  "sensor_serial": "0614-0042", "mount": "M1", "operator": "",
  "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
  "force_sensor": {"model": "ATI Nano17", "calibration": "SI-25-0.25", "serial": "", "press_axis": "-z",
                   "rz_deg": 90.0, "tip_mm": [0, 0, 25], "certificate": {"date": "2026-01-10", "gain_u_percent": 1.0}},
  "rig": {"compliance_um_per_N": 4.0},
  "stage_to_sensor": {"x_mm": 1.5, "y_mm": -2.0, "rz_deg": 180.0, "mirror": true},
  "surface": {"z0_mm": 12.0, "tilt_x_deg": 0.5, "tilt_y_deg": 0.0},
  "gravity_m_s2": 9.81,
  "conditions": {"temperature_degC": 22.5},
  "clocks": {"force": "own", "stage": "host", "tactile": "own"},
  "protocol": [],
  "notes": "first"
})",
                                             "session.json");
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  const auto& m = *parsed;
  EXPECT_EQ(m.created, "2026-11-20T10:00:00Z");
  EXPECT_EQ(m.sensor_name, "weiss-wts0614");
  EXPECT_EQ(m.sensor.tactels(), 84);
  EXPECT_EQ(m.sensor_serial, "0614-0042");
  ASSERT_TRUE(m.indenter.has_value());
  EXPECT_DOUBLE_EQ(m.indenter->diameter_m, 0.001);
  ASSERT_TRUE(m.force_sensor.has_value());
  EXPECT_EQ(m.force_sensor->press_axis, (PressAxis{2, -1}));
  EXPECT_NEAR(m.force_sensor->rz_rad, 1.5707963267948966, 1e-15);
  EXPECT_DOUBLE_EQ(m.force_sensor->tip_m[2], 0.025);
  EXPECT_EQ(m.force_sensor->gain_u_percent, 1.0);
  EXPECT_DOUBLE_EQ(m.compliance_m_per_N.value(), 4e-6);
  ASSERT_TRUE(m.stage_to_sensor.has_value());
  EXPECT_DOUBLE_EQ(m.stage_to_sensor->y_m, -0.002);
  EXPECT_NEAR(m.stage_to_sensor->rz_rad, 3.141592653589793, 1e-15);
  EXPECT_TRUE(m.stage_to_sensor->mirror);
  EXPECT_DOUBLE_EQ(m.surface->z0_m, 0.012);
  EXPECT_NEAR(m.surface->tilt_x_rad, 0.008726646259971648, 1e-16);
  EXPECT_EQ(m.gravity_m_per_s2, 9.81);
  EXPECT_EQ(m.temperature_degC, 22.5);
  EXPECT_EQ(m.clock(StreamKind::kForce), Clock::kOwn);
  EXPECT_EQ(m.clock(StreamKind::kStage), Clock::kHost);
  EXPECT_EQ(m.notes, "first");
}

TEST(SessionMetadata, MissingAndNullMeanUnknown) {
  for (const auto& text :
       {std::string(kMinimal),
        with(R"("created": null, "indenter": null, "force_sensor": null, "rig": null,
                "stage_to_sensor": null, "surface": null, "gravity_m_s2": null,
                "conditions": {"temperature_degC": null}, "clocks": null, "notes": null)")}) {
    const auto parsed = parse_session_metadata(text, "session.json");
    ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
    EXPECT_EQ(parsed->created, "");
    EXPECT_FALSE(parsed->indenter || parsed->force_sensor || parsed->compliance_m_per_N);
    EXPECT_FALSE(parsed->stage_to_sensor || parsed->surface || parsed->temperature_degC);
    EXPECT_EQ(parsed->gravity_m_per_s2, 9.80665);
    EXPECT_EQ(parsed->clock(StreamKind::kTactile), Clock::kShared);
    EXPECT_FALSE(parsed->imported.has_value());
  }
}

TEST(SessionMetadata, KeepsWhatWasGivenAsCanonicalJson) {
  const auto parsed = parse_session_metadata(
      " { \"version\":1, \"sensor\" : \"weiss-wts0614\",\n \"rig\":{\"backlash_um\": 3.50, "
      "\"axes\":[1, 2]}, \"format\": \"tactelier/session\" }",
      "session.json");
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  EXPECT_EQ(parsed->document,
            R"({"format":"tactelier/session","rig":{"axes":[1,2],"backlash_um":3.5},)"
            R"("sensor":"weiss-wts0614","version":1})");
}

TEST(SessionMetadata, TakesThePlayOfTheStagesZ) {
  const auto parsed = parse_session_metadata(
      R"({"format": "tactelier/session", "version": 1, "sensor": "weiss-wts0614",
          "rig": {"stage": {"backlash_um": {"x": 5, "z": 20}}}})",
      "session.json");
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  EXPECT_DOUBLE_EQ(parsed->backlash_m, 20e-6);
}

TEST(SessionMetadata, TakesASensorInline) {
  const auto parsed = parse_session_metadata(
      R"({"format": "tactelier/session", "version": 1, "sensor":
          {"rows": 2, "columns": 3, "pitch_x_mm": 5, "pitch_y_mm": 4}})",
      "session.json");
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  EXPECT_EQ(parsed->sensor_name, "");
  EXPECT_EQ(parsed->sensor.tactels(), 6);
}

TEST(SessionMetadata, SaysHowATableWasImported) {
  const auto parsed = parse_session_metadata(
      with(R"("imported": {"file": "oil.csv", "row_is": "press", "depth_reference": "unknown"})"),
      "session.json");
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  EXPECT_EQ(parsed->imported->file, "oil.csv");
  EXPECT_TRUE(parsed->imported->static_readings);
  EXPECT_FALSE(parsed->imported->depth_from_contact);
}

TEST(SessionMetadata, RefusesUnknownKeysByName) {
  EXPECT_EQ(message_of(with(R"("sensor_seral": "1")")),
            "session.json: unknown key 'sensor_seral' (did you mean 'sensor_serial'?)");
  EXPECT_EQ(message_of(with(R"("surface": {"z0_m": 1})")),
            "session.json: surface: unknown key 'z0_m' (did you mean 'z0_mm'?)");
  EXPECT_EQ(
      message_of(with(R"("rig": {"compliance_um_N": 4})")),
      "session.json: rig: unknown key 'compliance_um_N' (did you mean 'compliance_um_per_N'?)");
}

TEST(SessionMetadata, NamesANewerVersionAndAnotherFormat) {
  EXPECT_EQ(message_of(R"({"format": "tactelier/session", "version": 2, "sensor": "x", "new": 1})"),
            "session.json: tactelier/session version 2 is newer than version 1, which this program "
            "reads; update Tactelier");
  EXPECT_EQ(message_of(R"({"format": "tactelier/map", "version": 1})"),
            "session.json: is 'tactelier/map', 'tactelier/session' expected");
}

TEST(SessionMetadata, SuggestsTheShippedSensorThatWasMeant) {
  EXPECT_EQ(
      message_of(R"({"format": "tactelier/session", "version": 1, "sensor": "weis-wts0614"})"),
      "session.json: sensor: no description is called 'weis-wts0614' (did you mean "
      "'weiss-wts0614'?); see 'tactelier sensors list', or give the description inline");
}

TEST(SessionMetadata, RefusesImpossibleValues) {
  EXPECT_THAT(message_of(with(R"("created": "20 November 2026")")),
              ::testing::HasSubstr("created: '20 November 2026' is not a time in UTC"));
  EXPECT_THAT(message_of(with(R"("created": "2026-13-01T00:00:00Z")")),
              ::testing::HasSubstr("is not a time in UTC"));
  EXPECT_THAT(message_of(with(R"("gravity_m_s2": -9.81)")),
              ::testing::HasSubstr("gravity_m_s2: must be more than 0"));
  EXPECT_THAT(message_of(with(R"("clocks": {"force": "mine"})")),
              ::testing::HasSubstr("clocks.force: expected \"host\""));
  EXPECT_THAT(message_of(with(R"("force_sensor": {"tip_mm": [0, 0]})")),
              ::testing::HasSubstr("force_sensor.tip_mm: expected exactly 3 entries, found 2"));
  EXPECT_THAT(message_of(with(R"("indenter": {"shape": "cylinder", "diameter_mm": -1})")),
              ::testing::HasSubstr("indenter.diameter_mm: must be more than 0"));
  EXPECT_THAT(message_of(with(R"("rig": {"compliance_um_per_N": -1})")),
              ::testing::HasSubstr("rig.compliance_um_per_N: must be at least 0"));
}

TEST(SessionMetadata, RefusesBrokenJsonWithItsPlace) {
  EXPECT_THAT(message_of("{\n  \"format\": ,\n}"), ::testing::HasSubstr("session.json: line 2"));
  EXPECT_EQ(message_of(""), "session.json: is empty, JSON expected");
  EXPECT_THAT(message_of(std::string(200, '[')), ::testing::HasSubstr("nested deeper than 64"));
}

}  // namespace
}  // namespace tactelier
