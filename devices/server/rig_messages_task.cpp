// Messages of a task: what asks for it, and what is heard of it.

#include "devices/server/rig_messages.hpp"

#include "devices/server/message_members.hpp"
#include "libcalib/units.hpp"

namespace tactelier::rig::messages {
namespace {

using nlohmann::json;

constexpr Words<PressOutcome, 7> kOutcomes{{{PressOutcome::kBegun, ""},
                                            {PressOutcome::kOk, "ok"},
                                            {PressOutcome::kAborted, "aborted"},
                                            {PressOutcome::kRepeated, "repeated"},
                                            {PressOutcome::kUndone, "undone"},
                                            {PressOutcome::kConditioning, "conditioning"},
                                            {PressOutcome::kWithdrawn, "withdrawn"}}};

}  // namespace

PressOutcome outcome_of(std::string_view word) {
  return kind_of(kOutcomes, word).value_or(PressOutcome::kRepeated);
}

// --- News ----------------------------------------------------------------------------------------

namespace {

json members_of(const Progress& progress) {
  json members{{"news", "progress"},
               {"what", progress.what},
               {"done", progress.done},
               {"total", progress.total},
               {"detail", progress.detail}};
  if (!progress.step.empty()) members["step"] = progress.step;
  if (progress.left_s) members["left_s"] = *progress.left_s;
  return members;
}

json members_of(const Press& press) {
  return {{"news", "press"},
          {"press", press.number},
          {"tactel", or_null(press.tactel)},
          {"outcome", word_of(kOutcomes, press.outcome)}};
}

json members_of(const Question& question) {
  return {{"news", "question"}, {"text", question.text}, {"answer_key", question.answer_key}};
}

json members_of(const Wanting& wanting) { return {{"news", "wanting"}, {"end_s", wanting.end_s}}; }

json list_of(const Warnings& warnings) {
  auto list = json::array();
  for (const auto& warning : warnings)
    list.push_back({{"code", warning.code}, {"text", warning.text}, {"where", warning.where}});
  return list;
}

json members_of(const End& end) {
  auto members = end.error ? error_answer(*end.error) : json{{"result", end.result}};
  members["news"] = end.error ? "failed" : "done";
  members["warnings"] = list_of(end.warnings);
  return members;
}

Progress progress_in(const json& line) {
  Progress progress;
  take(line, "what", progress.what);
  take(line, "detail", progress.detail);
  take(line, "done", progress.done);
  take(line, "total", progress.total);
  take(line, "step", progress.step);
  progress.left_s = maybe<double>(line, "left_s");
  return progress;
}

Press press_in(const json& line) {
  return {maybe<int>(line, "press").value_or(0), maybe<int>(line, "tactel"),
          outcome_of(text_in(line, "outcome"))};
}

Warnings warnings_in(const json& line) {
  Warnings warnings;
  if (const auto* list = member(line, "warnings"); list != nullptr && list->is_array())
    for (const auto& one : *list)
      warnings.push_back({text_in(one, "code"), text_in(one, "text"), text_in(one, "where")});
  return warnings;
}

End end_in(const json& line) {
  End end;
  if (text_in(line, "news") == "failed")
    end.error = error_in(line).value_or(Error{ErrorCode::kDeviceFault, ""});
  if (const auto* result = member(line, "result")) end.result = *result;
  end.warnings = warnings_in(line);
  return end;
}

}  // namespace

json to_json(const News& news, int task) {
  auto line = std::visit([](const auto& one) { return members_of(one); }, news);
  line["task"] = task;
  return line;
}

bool is_news(const json& line) { return line.is_object() && line.contains("news"); }

int task_in(const json& line) { return maybe<int>(line, "task").value_or(0); }

bool may_be_lost(const json& line) { return text_in(line, "news") == "progress"; }

std::optional<News> news_in(const json& line) {
  const auto word = text_in(line, "news");
  if (word == "progress") return progress_in(line);
  if (word == "press") return press_in(line);
  if (word == "question") return Question{text_in(line, "text"), text_in(line, "answer_key")};
  if (word == "wanting") return Wanting{maybe<double>(line, "end_s").value_or(0)};
  if (word == "done" || word == "failed") return end_in(line);
  return std::nullopt;
}

json to_json(const Recorded& recorded) {
  return {{"file", recorded.file},
          {"presses", recorded.presses},
          {"aborted", recorded.aborted},
          {"repeated", recorded.repeated},
          {"undone", recorded.undone},
          {"complete", recorded.complete},
          {"peak_force_N", recorded.peak_force_N},
          {"duration_s", recorded.duration_s}};
}

Recorded recorded_in(const json& result) {
  Recorded recorded;
  take(result, "file", recorded.file);
  take(result, "presses", recorded.presses);
  take(result, "aborted", recorded.aborted);
  take(result, "repeated", recorded.repeated);
  take(result, "undone", recorded.undone);
  take(result, "complete", recorded.complete);
  take(result, "peak_force_N", recorded.peak_force_N);
  take(result, "duration_s", recorded.duration_s);
  return recorded;
}

// --- Requests ------------------------------------------------------------------------------------

json request(std::string_view name) { return {{"do", name}}; }

std::string name_of(const json& request) { return text_in(request, "do"); }

json task_request(TaskKind kind, bool set_up) {
  return {{"do", to_string(kind)}, {"set_up", set_up}};
}

bool wants_set_up(const json& request) { return maybe<bool>(request, "set_up").value_or(false); }

std::optional<double> register_force_N(const json& request) {
  return maybe<double>(request, "force_N");
}

json weigh_request(double mass_kg) {
  auto line = request(to_string(TaskKind::kWeigh));
  line["mass_g"] = mass_kg * 1e3;
  return line;
}

double weighed_kg(const json& request) {
  return g_to_kg(maybe<double>(request, "mass_g").value_or(0));
}

json jog_request(const JogWay& way) {
  return {{"do", "jog"},
          {"by_mm", scaled(way.by_m, m_to_mm)},
          {"speed_mm_s", m_to_mm(way.speed_m_per_s)}};
}

Result<JogWay> jog_in(const json& request) {
  const auto by_mm = three_in(request, "by_mm");
  if (!by_mm) return fail(ErrorCode::kUsage, "jog: by_mm with x, y, z expected");
  return JogWay{scaled(*by_mm, mm_to_m), mm_to_m(maybe<double>(request, "speed_mm_s").value_or(1))};
}

json answer_request(std::optional<double> value) {
  auto answer = request("answer");
  if (value) answer["value"] = *value;
  return answer;
}

json note_request(std::string_view text) { return {{"do", "note"}, {"text", text}}; }

json keep_request(const json& changes) { return {{"do", "keep"}, {"rig", changes}}; }

Result<json> changes_in(const json& request) {
  const auto* changes = member(request, "rig");
  if (changes != nullptr && changes->is_object()) return *changes;
  return fail(ErrorCode::kUsage, "keep: 'rig' with what was found expected");
}

json to_json(const RecordOrder& order) {
  json members{{"do", "record"},
               {"file", order.file},
               {"resume", order.resume},
               {"set_up", order.set_up},
               {"sensor_serial", order.sensor_serial},
               {"mount", order.mount},
               {"operator", order.operator_name},
               {"notes", order.notes}};
  if (!order.protocol.is_null()) members["protocol"] = order.protocol;
  if (!order.grows.is_null()) members["grows"] = order.grows;
  if (order.reference_spring_N_per_m)
    members["reference_spring_N_per_m"] = *order.reference_spring_N_per_m;
  if (order.temperature_degC) members["temperature_degC"] = *order.temperature_degC;
  return members;
}

RecordOrder record_order_in(const json& request) {
  RecordOrder order;
  take(request, "file", order.file);
  take(request, "resume", order.resume);
  take(request, "set_up", order.set_up);
  if (const auto* protocol = member(request, "protocol")) order.protocol = *protocol;
  if (const auto* grows = member(request, "grows")) order.grows = *grows;
  order.reference_spring_N_per_m = maybe<double>(request, "reference_spring_N_per_m");
  take(request, "sensor_serial", order.sensor_serial);
  take(request, "mount", order.mount);
  take(request, "operator", order.operator_name);
  take(request, "notes", order.notes);
  order.temperature_degC = maybe<double>(request, "temperature_degC");
  return order;
}

json to_json(const FurtherOrder& order) {
  return {{"do", "further"}, {"steps", order.steps}, {"text", order.why}, {"last", order.last}};
}

FurtherOrder further_order_in(const json& request) {
  FurtherOrder order;
  if (const auto* steps = member(request, "steps")) order.steps = *steps;
  take(request, "text", order.why);
  take(request, "last", order.last);
  return order;
}

}  // namespace tactelier::rig::messages
