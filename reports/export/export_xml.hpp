#pragma once
// How every exporter that writes XML with pugixml puts numbers, attributes and comments into it.

#include <fmt/ranges.h>

#include <pugixml.hpp>
#include <span>
#include <string>

#include "reports/export/slots.hpp"

namespace tactelier {

void set_attribute(pugi::xml_node node, const char* name, const std::string& value);

/// <name>text</name>
pugi::xml_node add_element(pugi::xml_node node, const char* name, const std::string& text);
/// <name>value</name>, nine digits.
pugi::xml_node add_element(pugi::xml_node node, const char* name, double value);

/// A comment of one line; whatever the text says, the file stays well-formed.
void add_comment(pugi::xml_node node, const std::string& text);

/// The filled slot of that name, as a comment "name: meaning; what stands behind it"; else nothing.
void add_slot_comment(const SlotContents& contents, std::string_view name, pugi::xml_node node);
/// All of them with their values, where the file writes others: "damping: 0.0583 N*s/m, ...".
void add_slot_values(const SlotContents& contents, pugi::xml_node node);

/// The text of an opening comment, a line each.
std::string block_comment(std::span<const std::string> lines);

/// "1 2.5 -3", nine digits.
template <class Numbers>
std::string numbers_text(const Numbers& numbers) {
  return fmt::format("{:.9g}", fmt::join(numbers, " "));
}

std::string document_text(const pugi::xml_document& document);

}  // namespace tactelier
