#include "reports/export/export_xml.hpp"

#include <sstream>

#include "reports/export/export_text.hpp"

namespace tactelier {

void set_attribute(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(value.c_str());
}

pugi::xml_node add_element(pugi::xml_node node, const char* name, const std::string& text) {
  auto element = node.append_child(name);
  element.text().set(text.c_str());
  return element;
}

pugi::xml_node add_element(pugi::xml_node node, const char* name, double value) {
  return add_element(node, name, fmt::format("{:.9g}", value));
}

void add_comment(pugi::xml_node node, const std::string& text) {
  node.append_child(pugi::node_comment).set_value(fmt::format(" {} ", xml_comment(text)).c_str());
}

void add_slot_comment(const SlotContents& contents, std::string_view name, pugi::xml_node node) {
  for (const auto& slot : contents.filled)
    if (slot.name == name) add_comment(node, fmt::format("{}: {}", name, slot.comment));
}

void add_slot_values(const SlotContents& contents, pugi::xml_node node) {
  for (const auto& line : slot_value_lines(contents)) add_comment(node, line);
}

std::string block_comment(std::span<const std::string> lines) {
  std::string text = "\n";
  for (const auto& line : lines) text += "  " + line + "\n";
  return xml_comment(text);
}

std::string document_text(const pugi::xml_document& document) {
  std::ostringstream out;
  document.save(out, "  ", pugi::format_indent, pugi::encoding_utf8);
  return out.str();
}

}  // namespace tactelier
