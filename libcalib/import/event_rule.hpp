#pragma once
// What a map says about events: which rows of its tables are a press, a hold, a weight, at rest
// (key "events" and "rest" of data/schemas/map.schema.json). One language for all: rows are chosen
// by column, by line, by file name or by detection, and what an event's data says is a number, a
// cell of its first row, or a word of the file's name.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libcalib/import/level_finder.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

struct EventRule {
  enum class Find { kNothing, kPresses, kPlateaus, kHolds, kSlides, kCycles };

  /// On one column; empty parts ask nothing.
  struct Condition {
    std::string column;
    std::vector<std::string> cells;  // one of these
    std::optional<double> below;
    std::optional<double> above;
  };

  std::string event;                                           // "press", "hold", "weight" ...
  std::string where_in_map;                                    // "events[2] (weight)"
  std::vector<Condition> where;                                // all must hold
  std::vector<std::pair<std::uint64_t, std::uint64_t>> lines;  // of the file, both ends included
  std::string files;                                           // pattern
  std::vector<std::string> by;                                 // a change begins another event
  Find find = Find::kNothing;
  LevelRule level;
  double threshold_N = 0;
  std::string data = "{}";  // JSON text, with {NAME} in its strings

  bool detects() const { return find != Find::kNothing; }
};

/// From the map's "events" and "rest", already checked against the schema. `columns` are the names
/// of its columns. Messages name the rule and its key.
Result<std::vector<EventRule>> parse_event_rules(const nlohmann::json& map,
                                                 const std::vector<std::string>& columns);

}  // namespace tactelier
