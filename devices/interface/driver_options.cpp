#include "devices/interface/driver_options.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"

namespace tactelier::devices {
namespace {

using nlohmann::json;

std::string range_text(const OptionInfo& info) {
  const bool low = std::isfinite(info.least), high = std::isfinite(info.most);
  if (low && high) return fmt::format(" from {} to {}", info.least, info.most);
  if (low) return fmt::format(" of at least {}", info.least);
  return high ? fmt::format(" of at most {}", info.most) : "";
}

std::string expected(const OptionInfo& info) {
  switch (info.kind) {
    case OptionKind::kText:
      return "a text";
    case OptionKind::kFlag:
      return "true or false";
    case OptionKind::kWhole:
      return "a whole number" + range_text(info);
    case OptionKind::kNumber:
      return "a number" + range_text(info);
    case OptionKind::kNumbers:
      return (info.count > 0 ? fmt::format("a list of {} numbers", info.count)
                             : std::string("a list of one or more numbers")) +
             range_text(info);
  }
  return {};
}

bool in_range(const json& value, const OptionInfo& info) {
  if (!value.is_number()) return false;
  const double number = value.get<double>();
  const bool whole = info.kind != OptionKind::kWhole || number == std::floor(number);
  return whole && number >= info.least && number <= info.most;
}

bool fits(const json& value, const OptionInfo& info) {
  switch (info.kind) {
    case OptionKind::kText:
      return value.is_string();
    case OptionKind::kFlag:
      return value.is_boolean();
    case OptionKind::kNumber:
    case OptionKind::kWhole:
      return in_range(value, info);
    case OptionKind::kNumbers:
      return value.is_array() && (info.count > 0 ? value.size() == info.count : !value.empty()) &&
             std::all_of(value.begin(), value.end(),
                         [&](const json& number) { return in_range(number, info); });
  }
  return false;
}

}  // namespace

Result<DriverOptions> DriverOptions::read(const json& entry, std::string_view driver,
                                          std::span<const OptionInfo> known,
                                          const std::string& where,
                                          const std::filesystem::path& folder) {
  DriverOptions options;
  options.where_ = where;
  options.folder_ = folder;
  std::vector<std::string> keys;
  for (const auto& info : known) keys.emplace_back(info.key);
  for (const auto& [key, value] : entry.items()) {
    if (key == "driver" || key == "sensor" || value.is_null()) continue;
    const auto info = std::find_if(known.begin(), known.end(),
                                   [&](const OptionInfo& option) { return option.key == key; });
    if (info == known.end())
      return fail(ErrorCode::kInvalidInput, "{}: {}: driver {} has no such option{}; it has {}",
                  where, key, driver, did_you_mean(key, keys), fmt::join(keys, ", "));
    if (!fits(value, *info))
      return fail(ErrorCode::kInvalidInput, "{}: {}: {} expected ({})", where, key, expected(*info),
                  info->help);
    if (value.is_string()) options.values_[key] = value.get<std::string>();
    if (value.is_boolean()) options.values_[key] = value.get<bool>();
    if (value.is_number()) options.values_[key] = value.get<double>();
    if (value.is_array()) options.values_[key] = value.get<std::vector<double>>();
  }
  for (const auto& info : known)
    if (info.required && !options.has(info.key))
      return fail(ErrorCode::kInvalidInput, "{}: {}: driver {} needs it ({})", where, info.key,
                  driver, info.help);
  return options;
}

std::string DriverOptions::text(std::string_view key, std::string_view otherwise) const {
  const auto found = values_.find(key);
  return found != values_.end() ? std::get<std::string>(found->second) : std::string(otherwise);
}

std::optional<double> DriverOptions::number(std::string_view key) const {
  const auto found = values_.find(key);
  return found != values_.end() ? std::optional(std::get<double>(found->second)) : std::nullopt;
}

double DriverOptions::number(std::string_view key, double otherwise) const {
  return number(key).value_or(otherwise);
}

bool DriverOptions::flag(std::string_view key, bool otherwise) const {
  const auto found = values_.find(key);
  return found != values_.end() ? std::get<bool>(found->second) : otherwise;
}

std::vector<double> DriverOptions::numbers(std::string_view key) const {
  const auto found = values_.find(key);
  return found != values_.end() ? std::get<std::vector<double>>(found->second)
                                : std::vector<double>{};
}

std::string DriverOptions::file(std::string_view key) const {
  const auto name = text(key);
  if (name.find_first_of("./") == name.npos) return name;
  const std::filesystem::path path(name);
  return path.is_absolute() ? name : (folder_ / path).string();
}

}  // namespace tactelier::devices
