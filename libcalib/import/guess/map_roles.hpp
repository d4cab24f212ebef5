#pragma once
// A map's text, changed column by column: what a person picks for a column, and what follows from
// it for units, numbers of tactels and the sensor.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier {

struct ColumnRole {
  std::string target;  // "force", "tactel 3"
  std::string unit;    // "" where it has none
};

/// What the map says of a column; nothing where it is no JSON or does not name the column.
std::optional<ColumnRole> role_in(std::string_view map_text, const std::string& column);

/// The map with another role for one column. "tactel" alone becomes the next tactel. A unit that
/// the target can't have gives way to its usual one; an empty one as well. Tactels behind one that
/// was taken away move up, and a sensor of one row gets as many columns as there are tactels. Fails
/// with kInvalidInput where the text is no map or does not name the column.
Result<std::string> with_role(std::string_view map_text, const std::string& column,
                              ColumnRole role);

/// Menu of targets for a column: all that a map knows, "tactel", and "aux" with the column's name.
std::vector<std::string> targets_for(const std::string& column);

}  // namespace tactelier
