#pragma once
// JSON for people: members in their order, and what fits on a line stands on one.

#include <nlohmann/json.hpp>
#include <string>

namespace tactelier {
namespace readable {

inline constexpr std::size_t kColumns = 96;
inline constexpr std::size_t kLevel = 2;

/// On one line: "[1, 2]", "{"x": 1}".
inline std::string flat(const nlohmann::ordered_json& value) {
  if (!value.is_structured()) return value.dump();
  std::string text;
  for (const auto& [key, member] : value.items()) {
    if (!text.empty()) text += ", ";
    if (value.is_object()) text += nlohmann::ordered_json(key).dump() + ": ";
    text += flat(member);
  }
  return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

inline void write(const nlohmann::ordered_json& value, std::size_t indent, std::size_t column,
                  bool outermost, std::string& text) {
  const auto line = flat(value);
  if (!value.is_structured() || (!outermost && column + line.size() < kColumns)) {
    text += line;
    return;
  }
  const std::string margin(indent + kLevel, ' ');
  text += value.is_object() ? "{" : "[";
  bool first = true;
  for (const auto& [key, member] : value.items()) {
    text += first ? "\n" : ",\n";
    first = false;
    const auto name = value.is_object() ? nlohmann::ordered_json(key).dump() + ": " : std::string();
    text += margin + name;
    write(member, indent + kLevel, margin.size() + name.size(), false, text);
  }
  text += "\n" + std::string(indent, ' ') + (value.is_object() ? "}" : "]");
}

}  // namespace readable

/// Two spaces a level, 96 columns; ends with a line end.
inline std::string readable_json(const nlohmann::ordered_json& document) {
  std::string text;
  readable::write(document, 0, 0, true, text);
  return text + "\n";
}

}  // namespace tactelier
