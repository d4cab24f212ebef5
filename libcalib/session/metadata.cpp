#include "libcalib/session/metadata.hpp"

#include <array>
#include <string>

#include "libcalib/json_check.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;

/// "2026-11-20T10:00:00Z", with a fraction of the second if need be.
bool is_utc(std::string_view text) {
  constexpr std::string_view kShape = "dddd-dd-ddTdd:dd:dd";
  if (text.size() <= kShape.size() || text.back() != 'Z') return false;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t i = 0; i < kShape.size(); ++i)
    if (kShape[i] == 'd' ? !digit(text[i]) : text[i] != kShape[i]) return false;
  const auto two = [&](std::size_t at) { return (text[at] - '0') * 10 + (text[at + 1] - '0'); };
  if (two(5) < 1 || two(5) > 12 || two(8) < 1 || two(8) > 31) return false;
  if (two(11) > 23 || two(14) > 59 || two(17) > 60) return false;
  const auto rest = text.substr(kShape.size(), text.size() - kShape.size() - 1);
  if (rest.empty()) return true;
  if (rest.front() != '.' || rest.size() == 1) return false;
  for (const char c : rest.substr(1))
    if (!digit(c)) return false;
  return true;
}

ForceSensor force_sensor_from(const json& object) {
  ForceSensor sensor;
  sensor.model = get_text(object, "model");
  sensor.calibration = get_text(object, "calibration");
  sensor.serial = get_text(object, "serial");
  sensor.press_axis =
      parse_press_axis(get_text(object, "press_axis", "z"), "press_axis").value_or(PressAxis{});
  sensor.rz_rad = deg_to_rad(get_number(object, "rz_deg").value_or(0));
  if (const auto* tip = get_member(object, "tip_mm"))
    for (std::size_t axis = 0; axis < 3; ++axis)
      sensor.tip_m[axis] = mm_to_m((*tip)[axis].get<double>());
  if (const auto* certificate = get_member(object, "certificate")) {
    sensor.certificate_date = get_text(*certificate, "date");
    sensor.gain_u_percent = get_number(*certificate, "gain_u_percent");
  }
  return sensor;
}

Surface surface_from(const json& object) {
  return {mm_to_m(get_number(object, "z0_mm").value_or(0)),
          deg_to_rad(get_number(object, "tilt_x_deg").value_or(0)),
          deg_to_rad(get_number(object, "tilt_y_deg").value_or(0))};
}

StageToSensor stage_to_sensor_from(const json& object) {
  const auto* mirror = get_member(object, "mirror");
  return {mm_to_m(get_number(object, "x_mm").value_or(0)),
          mm_to_m(get_number(object, "y_mm").value_or(0)),
          deg_to_rad(get_number(object, "rz_deg").value_or(0)),
          mirror != nullptr && mirror->get<bool>()};
}

ImportedTable imported_from(const json& object) {
  return {get_text(object, "file"), get_text(object, "row_is") == "press",
          get_text(object, "depth_reference") == "contact"};
}

std::map<StreamKind, Clock> clocks_from(const json& object) {
  std::map<StreamKind, Clock> clocks;
  for (const auto kind : kStreamKinds) {
    const auto clock = get_text(object, std::string(to_string(kind)).c_str());
    if (!clock.empty()) clocks[kind] = clock == "own" ? Clock::kOwn : Clock::kHost;
  }
  return clocks;
}

Result<void> read_sensor(const json& document, std::string_view where, SessionMetadata& metadata) {
  const auto& sensor = document["sensor"];
  const auto place = fmt::format("{}: sensor", where);
  if (sensor.is_object()) {
    auto parsed = parse_sensor(sensor.dump(), place, true);
    if (!parsed) return fail(parsed.error());
    metadata.sensor = std::move(*parsed);
    return {};
  }
  const auto name = sensor.get<std::string>();
  const auto known = shipped_sensors();
  if (std::find(known.begin(), known.end(), name) == known.end())
    return fail(ErrorCode::kInvalidInput,
                "{}: no description is called '{}'{}; see 'tactelier sensors list', or give the "
                "description inline",
                place, name, did_you_mean(name, known));
  auto loaded = load_sensor(name);
  if (!loaded) return fail(loaded.error(), place);
  metadata.sensor = std::move(*loaded);
  metadata.sensor_name = name;
  return {};
}

/// A rig holds more than we read, so that its schema is open; a slip in the one key that matters
/// must not go unnoticed.
Result<void> read_rig(const json& rig, std::string_view where, SessionMetadata& metadata) {
  const std::array<std::string, 2> known{"compliance_um_per_N", "plate_stiffness_N_per_um"};
  for (const auto& [key, value] : rig.items())
    if (const auto hint = did_you_mean(key, known);
        std::find(known.begin(), known.end(), key) == known.end() && !hint.empty())
      return fail(ErrorCode::kInvalidInput, "{}: rig: unknown key '{}'{}", where, key, hint);
  if (const auto compliance = get_number(rig, "compliance_um_per_N"))
    metadata.compliance_m_per_N = *compliance * 1e-6;
  if (const auto* stage = get_member(rig, "stage"))
    if (const auto* backlash = get_member(*stage, "backlash_um"))
      metadata.backlash_m = get_number(*backlash, "z").value_or(0) * 1e-6;
  if (const auto plate = get_number(rig, "plate_stiffness_N_per_um"))
    metadata.plate_stiffness_N_per_m = *plate * 1e6;
  return {};
}

/// One number for all tactels, or one for each.
Result<void> check_rest(const json& document, std::string_view where,
                        const SessionMetadata& metadata) {
  const auto* imported = get_member(document, "imported");
  const auto* reads = imported != nullptr ? get_member(*imported, "rest_reads") : nullptr;
  const auto tactels = static_cast<std::size_t>(metadata.sensor.tactels());
  if (reads == nullptr || !reads->is_array() || reads->size() == tactels) return {};
  return fail(ErrorCode::kInvalidInput,
              "{}: rest: {} numbers of what tactels read unloaded, the sensor has {} tactels; give "
              "one for all, or one for each",
              where, reads->size(), tactels);
}

Result<void> read_parts(const json& document, std::string_view where, SessionMetadata& metadata) {
  if (const auto* indenter = get_member(document, "indenter")) {
    auto parsed = parse_indenter(indenter->dump(), fmt::format("{}: indenter", where));
    if (!parsed) return fail(parsed.error());
    metadata.indenter = std::move(*parsed);
  }
  metadata.rig_described = get_member(document, "rig") != nullptr;
  if (const auto* rig = get_member(document, "rig"))
    if (const auto read = read_rig(*rig, where, metadata); !read) return read;
  if (const auto* sensor = get_member(document, "force_sensor"))
    metadata.force_sensor = force_sensor_from(*sensor);
  if (const auto* stage = get_member(document, "stage_to_sensor"))
    metadata.stage_to_sensor = stage_to_sensor_from(*stage);
  if (const auto* surface = get_member(document, "surface"))
    metadata.surface = surface_from(*surface);
  if (const auto* conditions = get_member(document, "conditions"))
    metadata.temperature_degC = get_number(*conditions, "temperature_degC");
  if (const auto* clocks = get_member(document, "clocks")) metadata.clocks = clocks_from(*clocks);
  if (const auto* imported = get_member(document, "imported"))
    metadata.imported = imported_from(*imported);
  return {};
}

}  // namespace

Clock SessionMetadata::clock(StreamKind kind) const {
  if (clocks.empty()) return Clock::kShared;
  const auto found = clocks.find(kind);
  return found == clocks.end() ? Clock::kHost : found->second;
}

Result<SessionMetadata> parse_session_metadata(std::string_view json_text, std::string_view where) {
  const auto document = parse_json(json_text, where);
  if (!document) return fail(document.error());
  if (const auto right = check_format(*document, "tactelier/session", kVersion, where); !right)
    return fail(right.error());
  if (const auto valid = check_schema(*document, "session", where); !valid)
    return fail(valid.error());
  SessionMetadata metadata;
  metadata.document = canonical(*document);
  metadata.created = get_text(*document, "created");
  if (!metadata.created.empty() && !is_utc(metadata.created))
    return fail(ErrorCode::kInvalidInput,
                "{}: created: '{}' is not a time in UTC like 2026-11-20T10:00:00Z", where,
                metadata.created.substr(0, 40));
  metadata.sensor_serial = get_text(*document, "sensor_serial");
  metadata.mount = get_text(*document, "mount");
  metadata.operator_name = get_text(*document, "operator");
  metadata.notes = get_text(*document, "notes");
  metadata.gravity_m_per_s2 =
      get_number(*document, "gravity_m_s2").value_or(kStandardGravity_m_per_s2);
  if (const auto read = read_sensor(*document, where, metadata); !read) return fail(read.error());
  if (const auto read = read_parts(*document, where, metadata); !read) return fail(read.error());
  if (const auto fits = check_rest(*document, where, metadata); !fits) return fail(fits.error());
  return metadata;
}

}  // namespace tactelier
