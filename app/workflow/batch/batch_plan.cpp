#include "app/workflow/batch/batch_plan.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "app/workflow/batch/recorded_protocols.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kWork = ".work";
constexpr const char* kFormat = "tactelier/batch-plan";
constexpr int kVersion = 1;
constexpr std::size_t kMaxBytes = 256U << 20U;

json options_json(const BatchOptions& options) {
  return {{"stages", options.stages}, {"require", options.required}, {"exports", options.exports},
          {"sensor", options.sensor}, {"seed", options.seed},        {"holdout", options.holdout}};
}

BatchOptions options_from(const json& document) {
  BatchOptions options;
  options.stages = document.value("stages", options.stages);
  options.required = document.value("require", options.required);
  options.exports = document.value("exports", options.exports);
  options.sensor = document.value("sensor", options.sensor);
  options.seed = document.value("seed", options.seed);
  options.holdout = document.value("holdout", options.holdout);
  return options;
}

/// Relative below the plan's folder, so that plan and sessions can be moved together.
std::string stored_path(const fs::path& session, const fs::path& folder) {
  const auto absolute = fs::absolute(session).lexically_normal();
  const auto relative = absolute.lexically_relative(folder);
  const bool below = !relative.empty() && *relative.begin() != "..";
  return (below ? relative : absolute).string();
}

json sensor_json(const PlannedSensor& sensor, const fs::path& folder) {
  auto sessions = json::array();
  for (const auto& session : sensor.sessions) sessions.push_back(stored_path(session, folder));
  auto missing = json::array();
  for (const auto& lack : sensor.missing)
    missing.push_back({{"stage", lack.stage}, {"protocol", lack.protocol}});
  return {{"id", sensor.id},          {"sensor", sensor.sensor}, {"serial", sensor.serial},
          {"sessions", sessions},     {"stages", sensor.stages}, {"missing", missing},
          {"problem", sensor.problem}};
}

PlannedSensor planned_from(const json& document, const fs::path& folder) {
  PlannedSensor sensor;
  sensor.id = document.at("id").get<std::string>();
  sensor.sensor = document.value("sensor", "");
  sensor.serial = document.value("serial", "");
  for (const auto& session : document.at("sessions"))
    sensor.sessions.push_back((folder / session.get<std::string>()).lexically_normal());
  sensor.stages = document.value("stages", sensor.stages);
  for (const auto& lack : document.value("missing", json::array()))
    sensor.missing.push_back({lack.at("stage").get<std::string>(), lack.value("protocol", "")});
  sensor.problem = document.value("problem", "");
  return sensor;
}

fs::path folder_of_plan(const fs::path& file) {
  return fs::absolute(file).lexically_normal().parent_path();
}

}  // namespace

fs::path BatchPlan::results() const {
  auto folder = fs::absolute(file).lexically_normal();
  if (folder.parent_path().filename() == kWork) return folder.parent_path().parent_path();
  return folder.replace_extension(".results");
}

fs::path BatchPlan::part_of(const PlannedSensor& sensor) const {
  return work() / (sensor.id + ".json");
}

fs::path BatchPlan::results_of(const PlannedSensor& sensor) const { return results() / sensor.id; }

fs::path BatchPlan::work() const { return results() / kWork; }

std::string options_text(const BatchOptions& options) { return canonical(options_json(options)); }

void plan_stages(const std::set<std::string>& protocols, const SensorDescription& description,
                 PlannedSensor& sensor) {
  for (const auto& prospect : stage_prospects(protocols, description)) {
    if (prospect.recorded)
      sensor.stages.emplace_back(prospect.stage);
    else
      sensor.missing.push_back({std::string(prospect.stage), prospect.protocol});
  }
}

Result<void> write_plan(const BatchPlan& plan) {
  const auto folder = folder_of_plan(plan.file);
  auto sensors = json::array();
  for (const auto& sensor : plan.sensors) sensors.push_back(sensor_json(sensor, folder));
  const json document{{"format", kFormat},
                      {"version", kVersion},
                      {"options", options_json(plan.options)},
                      {"sensors", sensors}};
  const auto text = document.dump(1, ' ', false, json::error_handler_t::replace);
  return write_text_file(plan.file, text + "\n");
}

Result<BatchPlan> read_plan(const fs::path& file) {
  const auto where = file.string();
  const auto text = read_text_file(file, kMaxBytes);
  if (!text) return fail(text.error());
  const auto document = parse_json(*text, where);
  if (!document) return fail(document.error());
  if (auto ok = check_format(*document, kFormat, kVersion, where); !ok) return fail(ok.error());
  if (auto ok = check_schema(*document, "batch-plan", where); !ok) return fail(ok.error());
  BatchPlan plan{file, options_from(document->value("options", json::object())), {}};
  const auto folder = folder_of_plan(file);
  std::set<std::string> ids;
  for (const auto& sensor : document->at("sensors")) {
    plan.sensors.push_back(planned_from(sensor, folder));
    if (const auto& id = plan.sensors.back().id; !ids.insert(id).second)
      return fail(ErrorCode::kInvalidInput, "{}: two sensors are called '{}'", where, id);
  }
  return plan;
}

Result<const PlannedSensor*> find_sensor(const BatchPlan& plan, const std::string& id) {
  const auto found = std::ranges::find(plan.sensors, id, &PlannedSensor::id);
  if (found != plan.sensors.end()) return &*found;
  std::vector<std::string> known;
  for (const auto& sensor : plan.sensors) known.push_back(sensor.id);
  return fail(ErrorCode::kUsage, "{}: no sensor '{}' in this plan{}", plan.file.string(), id,
              did_you_mean(id, known));
}

}  // namespace tactelier
