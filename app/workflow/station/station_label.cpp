#include "app/workflow/station/station_label.hpp"

#include <algorithm>
#include <array>

#include "fitting/engine/facts.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

constexpr const char* kLabelFormat = "tactelier/station-label";
constexpr int kLabelVersion = 1;
constexpr std::size_t kMaxLabel = 1U << 20U;
constexpr std::string_view kMeasured = "measured";

json number_or_null(const std::optional<double>& value) { return value ? json(*value) : json(); }

std::optional<double> number_in(const json& value) {
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::optional<Acceptance> acceptance_in(std::string_view word) {
  for (const auto acceptance : {Acceptance::kAccept, Acceptance::kUnclear, Acceptance::kReject})
    if (to_string(acceptance) == word) return acceptance;
  return std::nullopt;
}

/// As the Fit page calls it; the path is in the label's file.
std::string_view name_of(const AcceptedValue& value) {
  const auto* fact = fact_of(value.path);
  return fact != nullptr ? fact->label : std::string_view(value.path);
}

std::string measured_text(const AcceptedValue& value) {
  const auto name = name_of(value);
  if (!value.value)
    return fmt::format("{} {}", name, value.reason.empty() ? "not measured" : value.reason);
  const auto unit = value.unit.empty() ? "" : " " + value.unit;
  return value.u95 ? fmt::format("{} {:.4g} ± {:.2g}{}", name, *value.value, *value.u95, unit)
                   : fmt::format("{} {:.4g}{}", name, *value.value, unit);
}

std::string against_limits(const AcceptedValue& value) {
  return fmt::format("{}, limits {:.4g} to {:.4g}", measured_text(value), value.low, value.high);
}

json value_json(const AcceptedValue& value) {
  return {{"path", value.path},
          {"value", number_or_null(value.value)},
          {"u95", number_or_null(value.u95)},
          {"unit", value.unit},
          {"low", value.low},
          {"high", value.high},
          {"acceptance", to_string(value.acceptance)},
          {"reason", value.reason}};
}

AcceptedValue value_in(const json& document) {
  AcceptedValue value;
  value.path = document.at("path").get<std::string>();
  value.value = number_in(document.at("value"));
  value.u95 = number_in(document.at("u95"));
  value.unit = document.at("unit").get<std::string>();
  value.low = document.at("low").get<double>();
  value.high = document.at("high").get<double>();
  value.acceptance = acceptance_in(document.at("acceptance").get<std::string>()).value();
  value.reason = document.at("reason").get<std::string>();
  return value;
}

/// Members that are text, by their names in the file.
template <class Label>
auto texts_of(Label& label) {
  return std::array{
      std::pair{"id", &label.id},
      std::pair{"serial", &label.serial},
      std::pair{"sensor", &label.sensor},
      std::pair{"why", &label.why},
      std::pair{"operator", &label.operator_name},
      std::pair{"recorded", &label.recorded},
      std::pair{"judged", &label.judged},
      std::pair{"recording", &label.recording},
      std::pair{"model", &label.model},
      std::pair{"model_sha256", &label.model_sha256},
      std::pair{"key", &label.key},
      std::pair{"program", &label.program},
  };
}

}  // namespace

std::string_view verdict_word(const StationLabel& label) {
  return label.acceptance ? to_string(*label.acceptance) : kMeasured;
}

std::string rejection_text(const std::vector<AcceptedValue>& values) {
  std::vector<std::string> words;
  for (const auto& value : values)
    if (value.acceptance != Acceptance::kAccept) words.push_back(against_limits(value));
  return fmt::format("{}", fmt::join(words, "; "));
}

json label_json(const StationLabel& label) {
  json document{{"format", kLabelFormat},
                {"version", kLabelVersion},
                {"verdict", verdict_word(label)},
                {"values", json::array()}};
  for (const auto& [name, text] : texts_of(label)) document[name] = *text;
  for (const auto& value : label.values) document["values"].push_back(value_json(value));
  return document;
}

std::string label_text(const StationLabel& label) {
  std::string verdict(verdict_word(label));
  std::ranges::transform(verdict, verdict.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  auto text = fmt::format("{}  {}\n{}\n{}{}\n", label.serial, verdict, label.sensor, label.recorded,
                          label.operator_name.empty() ? "" : "  " + label.operator_name);
  for (const auto& value : label.values) text += against_limits(value) + "\n";
  if (label.values.empty() && !label.why.empty()) text += label.why + "\n";
  if (!label.model_sha256.empty()) text += fmt::format("model {}\n", label.model_sha256);
  if (!label.program.empty()) text += label.program + "\n";
  return text;
}

Result<void> write_label(const StationLabel& label, const std::filesystem::path& folder) {
  if (auto written = write_text_file(folder / (label.id + ".txt"), label_text(label)); !written)
    return written;
  const auto text = label_json(label).dump(1, ' ', false, json::error_handler_t::replace);
  return write_text_file(folder / (label.id + ".json"), text + "\n");
}

Result<StationLabel> read_label(const std::filesystem::path& file) {
  const auto where = file.string();
  const auto text = read_text_file(file, kMaxLabel);
  if (!text) return fail(text.error());
  const auto document = parse_json(*text, where);
  if (!document) return fail(document.error());
  if (auto ok = check_format(*document, kLabelFormat, kLabelVersion, where); !ok)
    return fail(ok.error());
  if (auto ok = check_schema(*document, "station-label", where); !ok) return fail(ok.error());
  StationLabel label;
  for (const auto& [name, words] : texts_of(label)) *words = document->value(name, "");
  label.acceptance = acceptance_in(document->at("verdict").get<std::string>());
  for (const auto& value : document->at("values")) label.values.push_back(value_in(value));
  return label;
}

std::vector<StationLabel> labels_since(const std::filesystem::path& folder,
                                       const std::string& utc) {
  std::string since = utc;
  std::erase_if(since, [](char c) { return c == '-' || c == ':'; });
  std::vector<std::pair<std::string, std::filesystem::path>> files;  // by the stamp in their names
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const auto id = entry.path().stem().string();
    if (entry.path().extension() != ".json" || id.size() <= since.size()) continue;
    if (auto stamp = id.substr(id.size() - since.size()); stamp >= since)
      files.emplace_back(std::move(stamp), entry.path());
  }
  std::ranges::sort(files);
  std::vector<StationLabel> labels;
  for (const auto& [stamp, file] : files)
    if (auto label = read_label(file)) labels.push_back(std::move(*label));
  return labels;
}

}  // namespace tactelier
