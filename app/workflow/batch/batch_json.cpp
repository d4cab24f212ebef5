#include "app/workflow/batch/batch_json.hpp"

#include "libcalib/reason.hpp"

namespace tactelier {

using nlohmann::json;

nlohmann::json sensor_json(const PlannedSensor& sensor) {
  auto missing = json::array();
  for (const auto& lack : sensor.missing)
    missing.push_back({{"stage", lack.stage}, {"protocol", lack.protocol}});
  auto sessions = json::array();
  for (const auto& session : sensor.sessions) sessions.push_back(session.string());
  return {{"id", sensor.id},          {"sensor", sensor.sensor}, {"serial", sensor.serial},
          {"sessions", sessions},     {"stages", sensor.stages}, {"missing", missing},
          {"problem", sensor.problem}};
}

nlohmann::json result_json(const SensorResult& result) {
  return {{"id", result.id},
          {"state", to_string(result.state)},
          {"code", reason_of(result.reason).code},
          {"reason", result.reason},
          {"found", result.found},
          {"files", result.files},
          {"finished", result.finished},
          {"duration_s", result.duration_s}};
}

nlohmann::json outcome_json(const RunOutcome& outcome) {
  auto list = json::array();
  for (const auto& result : outcome.results) list.push_back(result_json(result));
  return {{"sensors", list},
          {"fitted", outcome.fitted},
          {"up_to_date", outcome.up_to_date},
          {"stopped", outcome.stopped},
          {"catalogued", outcome.catalogued}};
}

nlohmann::json status_json(const SensorStatus& status) {
  return {{"id", status.sensor->id},
          {"standing", to_string(status.standing)},
          {"result", status.result ? result_json(*status.result) : json(nullptr)}};
}

nlohmann::json submission_json(const Submission& submission) {
  return {{"script", submission.script.string()},
          {"job", submission.job},
          {"elements", submission.elements},
          {"submitted", submission.sensors},
          {"up_to_date", submission.up_to_date}};
}

nlohmann::json collected_json(const Collected& collected) {
  auto list = json::array();
  for (const auto& result : collected.results) list.push_back(result_json(result));
  auto lost = json::array();
  for (const auto& sensor : collected.lost)
    lost.push_back({{"id", sensor.id}, {"words", sensor.words}});
  return {{"sensors", list},
          {"queued", collected.queued},
          {"lost", lost},
          {"waiting", collected.waiting},
          {"catalogued", collected.catalogued}};
}

Warnings export_warnings(const std::vector<SensorResult>& results) {
  Warnings warnings;
  for (const auto& result : results)
    for (const auto& refused : result.refused)
      warnings.push_back({"export",
                          fmt::format("not written as {}: {}", refused.format, refused.reason),
                          result.id});
  return warnings;
}

}  // namespace tactelier
