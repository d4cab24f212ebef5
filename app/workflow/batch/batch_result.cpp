#include "app/workflow/batch/batch_result.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/reason.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

constexpr const char* kFormat = "tactelier/batch-result";
constexpr int kVersion = 1;
constexpr std::size_t kMaxBytes = 4U << 20U;
constexpr std::array kStates{SensorState::kIdentified, SensorState::kIncomplete,
                             SensorState::kFailed};

SensorState state_from(std::string_view name) {
  for (const auto state : kStates)
    if (to_string(state) == name) return state;
  return SensorState::kFailed;
}

SensorResult result_from(const json& document) {
  SensorResult result;
  result.id = document.at("id").get<std::string>();
  result.key = document.at("key").get<std::string>();
  result.state = state_from(document.at("state").get<std::string>());
  result.reason = document.at("reason").get<std::string>();
  result.found = document.at("found").get<std::string>();
  result.files = document.at("files").get<std::vector<std::string>>();
  for (const auto& refused : document.at("refused"))
    result.refused.push_back(
        {refused.at("format").get<std::string>(), refused.at("reason").get<std::string>()});
  result.recorded = document.at("recorded").get<std::string>();
  result.finished = document.at("finished").get<std::string>();
  result.duration_s = document.at("duration_s").get<double>();
  return result;
}

}  // namespace

std::string_view to_string(SensorState state) {
  switch (state) {
    case SensorState::kIdentified:
      return "identified";
    case SensorState::kIncomplete:
      return "incomplete";
    case SensorState::kFailed:
      return "failed";
  }
  return "failed";
}

Result<std::optional<SensorResult>> read_result(const std::filesystem::path& folder) {
  const auto file = folder / kResultFile;
  std::error_code unknown;
  if (!std::filesystem::exists(file, unknown)) return std::optional<SensorResult>();
  const auto where = file.string();
  const auto text = read_text_file(file, kMaxBytes);
  if (!text) return fail(text.error());
  const auto document = parse_json(*text, where);
  if (!document) return fail(document.error());
  if (auto ok = check_format(*document, kFormat, kVersion, where); !ok) return fail(ok.error());
  if (auto ok = check_schema(*document, "batch-result", where); !ok) return fail(ok.error());
  return std::optional(result_from(*document));
}

std::string result_text(const SensorResult& result) {
  auto refused = json::array();
  for (const auto& each : result.refused)
    refused.push_back({{"format", each.format}, {"reason", each.reason}});
  const json document{{"format", kFormat},
                      {"version", kVersion},
                      {"id", result.id},
                      {"key", result.key},
                      {"state", to_string(result.state)},
                      {"reason", result.reason},
                      {"found", result.found},
                      {"files", result.files},
                      {"refused", refused},
                      {"recorded", result.recorded},
                      {"finished", result.finished},
                      {"duration_s", result.duration_s}};
  return document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string failure_reason(const Error& error) {
  if (!reason_of(error.message).code.empty()) return error.message;
  switch (error.code) {
    case ErrorCode::kIo:
      return fmt::format("BA-01 {}", error.message);
    case ErrorCode::kDamaged:
      return fmt::format("BA-02 {}", error.message);
    case ErrorCode::kUsage:
      return fmt::format("BA-04 {}", error.message);
    default:
      return fmt::format("BA-03 {}", error.message);
  }
}

}  // namespace tactelier
