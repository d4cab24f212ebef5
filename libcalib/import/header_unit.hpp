#pragma once
// What the name of a column says of its unit: "Force (N)", "Fz[mN]", "t_ms", "load / gf".

#include <optional>
#include <string>
#include <string_view>

namespace tactelier {

struct NamedUnit {
  std::string name;  // what is left: "Force"
  std::string unit;  // as parse_unit() knows it, or "g", "kg" of a mass
};

/// Nothing when the name holds no unit that is understood. Also spellings such as "sec", "µm",
/// "grams", "newton".
std::optional<NamedUnit> unit_in_name(std::string_view column);

/// Whether the text is a unit and nothing else, in any of these spellings.
/// "millis" is in ms: a column named after its unit alone.
std::optional<std::string> unit_called(std::string_view name);
bool is_unit(std::string_view text);

}  // namespace tactelier
