#include "reports/export/export_json.hpp"

#include <algorithm>

#include "libcalib/model_file/model_hash.hpp"

namespace tactelier {
namespace {

using nlohmann::ordered_json;

std::vector<double> known(const SensorModel& model, Parameter TactelResponse::*member) {
  std::vector<double> values;
  for (const auto& tactel : model.response.tactels)
    if ((tactel.*member).usable()) values.push_back(*(tactel.*member).value);
  return values;
}

ordered_json range(const Validity::Range& range) {
  return range ? ordered_json(*range) : ordered_json(nullptr);
}

/// YAML 1.1 takes 1e-05 for a text, 1.0e-05 for a number.
std::string yaml_number(const ordered_json& value) {
  auto text = json_text(value);
  const auto exponent = text.find('e');
  if (value.is_number_float() && exponent != text.npos && text.find('.') == text.npos)
    text.insert(exponent, ".0");
  return text;
}

bool is_table(const ordered_json& value) {
  return value.is_array() && !value.empty() && value[0].is_structured();
}

}  // namespace

nlohmann::ordered_json or_null(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

nlohmann::ordered_json json_origin(const SensorModel& model) {
  auto recordings = ordered_json::array();
  for (const auto& session : model.provenance.sessions)
    recordings.push_back({{"file", session.file}, {"content_hash", session.content_hash}});
  return {{"sensor", model.sensor.vendor + " " + model.sensor.model},
          {"serial", model.serial},
          {"fitted", model.created},
          {"tool", model.tool},
          {"model_sha256", model_hash(model)},
          {"recordings", recordings}};
}

nlohmann::ordered_json json_validity(const SensorModel& model) {
  return {{"force_N", range(model.validity.force_N)},
          {"depth_m", range(model.validity.depth_m)},
          {"indenters", model.validity.indenters}};
}

nlohmann::ordered_json json_arrays(const SensorDescription& sensor) {
  auto list = ordered_json::array();
  int first = 0;
  for (const auto& array : sensor.arrays) {
    list.push_back({{"first_tactel", first},
                    {"rows", array.rows},
                    {"columns", array.columns},
                    {"pitch_x_m", array.pitch_x_m},
                    {"pitch_y_m", array.pitch_y_m}});
    first += array.tactels();
  }
  return list;
}

std::string json_text(const nlohmann::ordered_json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// In flow style, which YAML shares with JSON.
std::string yaml_flow(const ordered_json& value) {
  if (!value.is_structured()) return value.is_number() ? yaml_number(value) : json_text(value);
  std::string text;
  for (const auto& item : value.items()) {
    text += text.empty() ? "" : ", ";
    if (value.is_object()) text += item.key() + ": ";
    text += yaml_flow(item.value());
  }
  return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

/// Members on lines of their own, a table row by row.
std::string yaml_text(const ordered_json& document) {
  std::string text;
  for (const auto& [key, value] : document.items()) {
    if (!is_table(value)) {
      text += fmt::format("{}: {}\n", key, yaml_flow(value));
      continue;
    }
    text += key + ":\n";
    for (const auto& row : value) text += "  - " + yaml_flow(row) + "\n";
  }
  return text;
}

std::optional<double> middle(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const auto half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::optional<double> middle_of(const SensorModel& model, Parameter TactelResponse::*member) {
  return middle(known(model, member));
}

std::optional<double> middle_counts_per_N(const SensorModel& model) {
  std::vector<double> scales;
  for (const double gain : known(model, &TactelResponse::gain))
    if (gain > 0) scales.push_back(1 / gain);
  return middle(scales);
}

std::string gain_remedy(const SensorModel& model) {
  const auto& tactels = model.response.tactels;
  if (tactels.size() == 1 && tactels[0].press_gain.usable())
    return fmt::format(
        "--assume response.tactels[0].gain={:.9g}, its press_gain: what presses a tactel that "
        "stands alone is its own",
        *tactels[0].press_gain.value);
  return "--assume response.tactels[0].gain=VALUE";
}

}  // namespace tactelier
