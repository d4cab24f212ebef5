#include "reports/export/xml_exporter.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>

#include "libcalib/model_file/model_file.hpp"
#include "reports/export/export_text.hpp"

// How the model file's JSON stands in XML:
//   a parameter        <k unit="N/m" std="6.1" ci95="2000 2024" status="identified" ...>2012</k>
//   a number, a text   <rows>14</rows>
//   numbers            <weights>0.1 0.8 0.1</weights>
//   a list             <tactels><item>...</item><item>...</item></tactels>
//   by name            <clock><entry name="force">...</entry></clock>
//   null               <area_m2/>

namespace tactelier {
namespace {

using nlohmann::ordered_json;

/// Members that the model file keeps by a name which the data choose.
constexpr std::array<std::string_view, 4> kByName{"clock", "quality", "figures", "options"};

bool by_name(std::string_view element) {
  return std::find(kByName.begin(), kByName.end(), element) != kByName.end();
}

bool is_parameter(const ordered_json& node) {
  return node.is_object() && node.contains("value") && node.contains("status");
}

bool is_numbers(const ordered_json& node) {
  return node.is_array() && !node.empty() &&
         std::all_of(node.begin(), node.end(), [](const auto& one) { return one.is_number(); });
}

/// XML has no way to write a control character.
std::string allowed(std::string text) {
  for (auto& letter : text)
    if (static_cast<unsigned char>(letter) < 0x20 && letter != '\n' && letter != '\t') letter = ' ';
  return text;
}

/// Numbers to the last digit, a list of them with blanks between, null as nothing.
std::string value_text(const ordered_json& value) {
  if (value.is_string()) return allowed(value.get<std::string>());
  if (value.is_null()) return {};
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const auto& one : value) text += (text.empty() ? "" : " ") + one.dump();
  return text;
}

void write_parameter(const ordered_json& parameter, pugi::xml_node element) {
  for (const auto& [key, value] : parameter.items())
    if (key != "value") element.append_attribute(key.c_str()).set_value(value_text(value).c_str());
  if (!parameter["value"].is_null()) element.text().set(value_text(parameter["value"]).c_str());
}

void write_node(const ordered_json& node, std::string_view name, pugi::xml_node element);

void write_members(const ordered_json& object, std::string_view name, pugi::xml_node element) {
  for (const auto& [key, value] : object.items()) {
    if (!by_name(name)) {
      write_node(value, key, element.append_child(key.c_str()));
      continue;
    }
    auto entry = element.append_child("entry");
    entry.append_attribute("name").set_value(allowed(key).c_str());
    write_node(value, "entry", entry);
  }
}

void write_node(const ordered_json& node, std::string_view name, pugi::xml_node element) {
  if (is_parameter(node)) return write_parameter(node, element);
  if (node.is_object()) return write_members(node, name, element);
  if (node.is_array() && !is_numbers(node)) {
    for (const auto& one : node) write_node(one, "item", element.append_child("item"));
    return;
  }
  if (const auto text = value_text(node); !text.empty()) element.text().set(text.c_str());
}

std::string comment_of(const SensorModel& model) {
  std::string text =
      "\n  Tactelier sensor model. All numbers SI; lists of tactels in index order.\n";
  for (const auto& line : header_lines(model)) text += "  " + line + "\n";
  return xml_comment(text);
}

/// The file's own facts are the root's attributes.
void write_root(const ordered_json& document, pugi::xml_node root) {
  for (const auto& [key, value] : document.items())
    if (value.is_structured())
      write_node(value, key, root.append_child(key.c_str()));
    else
      root.append_attribute(key.c_str()).set_value(value_text(value).c_str());
}

std::string document_text(const SensorModel& model, const ordered_json& document) {
  pugi::xml_document xml;
  xml.append_child(pugi::node_comment).set_value(comment_of(model).c_str());
  write_root(document, xml.append_child("sensor_model"));
  std::ostringstream out;
  xml.save(out, "  ", pugi::format_indent, pugi::encoding_utf8);
  return out.str();
}

}  // namespace

Result<Exported> XmlExporter::write(const SensorModel& model) const {
  const auto text = to_json(model);
  if (const auto valid = parse_model(text, "export"); !valid) return fail(valid.error());
  return Exported{document_text(model, ordered_json::parse(text)), {}, check_model(model)};
}

}  // namespace tactelier
