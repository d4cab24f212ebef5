#pragma once
// What a column of a table may be: the words of a map's "columns", the streams they go to, the
// units they may have.

#include <string>
#include <string_view>
#include <vector>

#include "libcalib/result.hpp"
#include "libcalib/session/stream.hpp"

namespace tactelier {

/// Where the values of a table column (or a constant) go.
struct MapTarget {
  enum class Kind { kIgnore, kTime, kHostTime, kReading };
  Kind kind = Kind::kIgnore;
  std::string text;     // as in the map: "depth"
  StreamKind stream{};  // kReading
  ColumnInfo column;    // kTime, kHostTime, kReading: name and unit in its stream
  bool negate = false;  // depth: stage z falls as the indenter goes down
};

/// `unit` is empty when the map gives none. Fails with kInvalidInput on an unknown word, naming
/// those there are, and on a unit that the target can't have.
Result<MapTarget> parse_map_target(const std::string& text, const std::string& unit);

/// What a column may be, in the order of a menu: "t", "force" ... Tactels, aux columns and names of
/// joints come on top.
std::vector<std::string> map_targets();
/// Symbols of the units that a target may have; empty where it needs none or any will do.
std::vector<std::string> units_of_target(std::string_view target);

}  // namespace tactelier
