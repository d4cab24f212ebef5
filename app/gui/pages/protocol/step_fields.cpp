#include "app/gui/pages/protocol/step_fields.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "libcalib/json_check.hpp"
#include "libcalib/protocol/protocol.hpp"
#include "libcalib/resources.hpp"

namespace tactelier::gui {
namespace {

// Properties in the file's order: forms show them as the schema's author thought of them.
using json = nlohmann::ordered_json;

const json& definitions() {
  static const json schema = json::parse(*resource("schemas/protocol.schema.json"));
  return schema["definitions"];
}

/// A unit that ends a key. Longer ones first: "_mm_s" is no second.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kUnits{
    {{"_mm_s", "mm/s"},
     {"_mm2", "mm2"},
     {"_MPa", "MPa"},
     {"_percent", "%"},
     {"_deg", "deg"},
     {"_mm", "mm"},
     {"_hz", "Hz"},
     {"_N", "N"},
     {"_g", "g"},
     {"_s", "s"}}};

void name_it(std::string_view key, StepField& field) {
  for (const auto& [ending, unit] : kUnits)
    if (key.size() > ending.size() && key.ends_with(ending)) {
      field.unit = unit;
      key.remove_suffix(ending.size());
      break;
    }
  field.label = key;
  std::replace(field.label.begin(), field.label.end(), '_', ' ');
  if (!field.label.empty() && field.label[0] >= 'a' && field.label[0] <= 'z')
    field.label[0] = static_cast<char>(field.label[0] - 'a' + 'A');
}

bool is_number(const json& shape) {
  const auto type = shape.find("type");
  return type != shape.end() && (*type == "number" || *type == "integer");
}

/// One number or a list of them.
bool is_numbers(const json& shape) {
  const auto either = shape.find("anyOf");
  if (either == shape.end() || either->size() != 2) return false;
  const auto& list = (*either)[1];
  return is_number((*either)[0]) && list.contains("items") && is_number(list["items"]);
}

StepField::Kind kind_of(const json& shape, StepField& field) {
  using Kind = StepField::Kind;
  if (shape.contains("enum")) {
    for (const auto& choice : shape["enum"]) field.choices.push_back(choice.get<std::string>());
    return Kind::kChoice;
  }
  if (shape.contains("const")) return Kind::kFlag;
  if (is_number(shape)) return shape["type"] == "integer" ? Kind::kInteger : Kind::kNumber;
  if (is_numbers(shape)) return Kind::kNumbers;
  return shape.value("type", "") == "string" ? Kind::kText : Kind::kJson;
}

/// The definition that a property is, or points to.
const json& shape_of(const json& property) {
  constexpr std::string_view kHere = "#/definitions/";
  const auto reference = property.value("$ref", "");
  return reference.starts_with(kHere) ? definitions()[reference.substr(kHere.size())] : property;
}

void add_fields(const json& object, const std::string& within, std::vector<StepField>& fields) {
  const auto required = object.value("required", json::array());
  std::vector<std::pair<std::string, const json*>> inner;
  for (const auto& [key, property] : object["properties"].items()) {
    if (key == "do" || key == "note") continue;
    const auto& shape = shape_of(property);
    if (key == "until") {
      inner.emplace_back(key + ".", &shape);
      continue;
    }
    StepField field;
    field.key = within + key;
    name_it(key, field);
    field.words = property.value("description", shape.value("description", ""));
    field.kind = kind_of(shape, field);
    field.required = std::find(required.begin(), required.end(), key) != required.end();
    fields.push_back(std::move(field));
  }
  for (const auto& [key, shape] : inner) add_fields(*shape, key, fields);
}

bool is_step(std::string_view name) {
  const auto names = step_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<std::string> step_names() {
  return definitions()["step"]["properties"]["do"]["enum"].get<std::vector<std::string>>();
}

std::string step_description(std::string_view name) {
  return is_step(name) ? definitions()[std::string(name)].value("description", "") : "";
}

std::vector<StepField> step_fields(std::string_view name) {
  std::vector<StepField> fields;
  if (is_step(name)) add_fields(definitions()[std::string(name)], "", fields);
  return fields;
}

std::optional<std::string> example_step(std::string_view name) {
  auto protocols = shipped_protocols();
  const auto rank = [](const std::string& protocol) {
    const bool design = protocol.size() <= 3 && protocol[0] == 'p' && protocol[1] >= '0' &&
                        protocol[1] <= '9';
    return design ? std::stoi(protocol.substr(1)) : 100;
  };
  std::stable_sort(protocols.begin(), protocols.end(), [&](const auto& one, const auto& other) {
    return rank(one) < rank(other);
  });
  for (const auto& protocol : protocols) {
    const auto loaded = load_protocol(protocol);
    if (!loaded) continue;
    const auto document = nlohmann::json::parse(loaded->document);
    for (const auto& step : document["steps"])
      if (step["do"] == name) return canonical(step);
  }
  return std::nullopt;
}

}  // namespace tactelier::gui
