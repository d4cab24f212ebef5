#include "devices/server/rig_request.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "libcalib/json_check.hpp"
#include "libcalib/resources.hpp"
#include "libcalib/session/json_get.hpp"

namespace tactelier::rig {
namespace {

using nlohmann::json;

const std::vector<std::string>& known_requests() {
  static const auto names = [] {
    std::vector<std::string> list;
    const auto schema = json::parse(*resource("schemas/rig-request.schema.json"));
    for (const auto& [name, ignored] : schema["properties"].items()) list.push_back(name);
    return list;
  }();
  return names;
}

/// The rig process has a working folder of its own, and a system call ends a name at a NUL.
Result<void> check_file(const json& request) {
  const auto* file = get_member(request, "file");
  if (file == nullptr) return {};
  const auto& name = file->get_ref<const std::string&>();
  if (std::filesystem::path(name).is_absolute() && name.find('\0') == name.npos) return {};
  return fail(ErrorCode::kUsage, "request: record.file: expected an absolute path");
}

}  // namespace

Result<std::string> check_request(const json& request) {
  if (!request.is_object())
    return fail(ErrorCode::kUsage, "request: expected an object with 'do', found {} {}",
                request.is_array() || request.is_null() ? "" : "a", request.type_name());
  const auto member = request.find("do");
  if (member == request.end())
    return fail(ErrorCode::kUsage, "request: key 'do' is missing (the request's name)");
  if (!member->is_string())
    return fail(ErrorCode::kUsage, "request: do: expected a string, found {}", member->type_name());
  const auto& name = member->get_ref<const std::string&>();
  if (name == "stop") return name;
  const auto& known = known_requests();
  if (std::find(known.begin(), known.end(), name) == known.end())
    return fail(ErrorCode::kUsage, "request: do: '{}' is no request of the rig{}",
                name.substr(0, 100), did_you_mean(name, known));
  if (auto valid = check_schema(json{{name, request}}, "rig-request", "request"); !valid)
    return fail(ErrorCode::kUsage, "{}", valid.error().message);
  if (auto valid = check_file(request); !valid) return fail(valid.error());
  return name;
}

}  // namespace tactelier::rig
