#include "devices/acquisition/session_document.hpp"

#include <fmt/chrono.h>

#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/sensor/sensor_document.hpp"
#include "libcalib/units.hpp"

namespace tactelier::rig {

using nlohmann::json;

std::string utc_now() {
  const auto now =
      std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", now);
}

std::optional<std::chrono::system_clock::time_point> time_of_utc(const std::string& utc) {
  std::tm parts{};
  const char* end = ::strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
  if (end == nullptr || std::string_view(end) != "Z") return std::nullopt;
  return std::chrono::system_clock::from_time_t(::timegm(&parts));
}

RigFile with_steps_of(const devices::StageTravel& travel, RigFile rig) {
  auto document = json::parse(rig.document);
  auto& stated = document["stage"]["step_um"];
  if (stated.is_null()) stated = json::object();
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (const std::string name(1, "xyz"[axis]); !stated.contains(name) && travel.step_m[axis] > 0)
      stated[name] = travel.step_m[axis] * 1e6;
  if (stated.empty()) document["stage"].erase("step_um");
  rig.document = document.dump();
  if (!rig.step_z_m && travel.step_m[2] > 0) rig.step_z_m = travel.step_m[2];
  return rig;
}

Result<SessionMetadata> live_metadata(const RigFile& rig, const SensorDescription& sensor,
                                      const Plan& plan, const Protocol& protocol,
                                      const StreamShapes& shapes, const SessionNames& names,
                                      const std::string& created) {
  const auto rig_document = json::parse(rig.document);
  const auto degrees = [](double rad) { return rad / deg_to_rad(1); };
  const auto& frame = rig.stage_to_sensor;
  json document{{"format", "tactelier/session"},
                {"version", 1},
                {"created", created},
                {"sensor", sensor_document(sensor)},
                {"rig", rig_document},
                {"stage_to_sensor",
                 {{"x_mm", m_to_mm(frame.x_m)},
                  {"y_mm", m_to_mm(frame.y_m)},
                  {"rz_deg", degrees(frame.rz_rad)},
                  {"mirror", frame.mirror}}},
                {"surface",
                 {{"z0_mm", m_to_mm(rig.surface.z0_m)},
                  {"tilt_x_deg", degrees(rig.surface.tilt_x_rad)},
                  {"tilt_y_deg", degrees(rig.surface.tilt_y_rad)}}},
                {"protocol", json::parse(protocol.document)}};
  if (plan.indenter) document["indenter"] = json::parse(plan.indenter->json);
  if (rig_document.contains("force_sensor"))
    document["force_sensor"] = rig_document["force_sensor"];
  const auto put = [&](const char* key, const std::string& text) {
    if (!text.empty()) document[key] = text;
  };
  put("sensor_serial", names.sensor_serial);
  put("mount", names.mount);
  put("operator", names.operator_name);
  put("notes", names.notes);
  if (names.temperature_degC)
    document["conditions"] = {{"temperature_degC", *names.temperature_degC}};
  for (const auto& [stream, clock] : stream_clocks(shapes))
    document["clocks"][std::string(to_string(stream))] = clock == Clock::kOwn ? "own" : "host";
  return parse_session_metadata(canonical(document), "session");
}

}  // namespace tactelier::rig
