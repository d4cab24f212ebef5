#pragma once
// Tells for each row of a table to which event of a rule it belongs, and what the event's data say.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "libcalib/import/event_rule.hpp"
#include "libcalib/import/table_files.hpp"

namespace tactelier {

/// What a rule's data say of one event: JSON text, and the place of its first row for messages.
struct EventData {
  std::string json;
  std::string place;
};

class RuleRows {
 public:
  /// `in_order`: rows come in order of time, so that equal cells further on are another event;
  /// otherwise (they are sorted later) equal cells are one.
  RuleRows(const EventRule& rule, bool in_order) : rule_(rule), in_order_(in_order) {}

  /// The rows to come are those of `table` with these column names.
  void begin(const TableFile& table, std::span<const std::string> names);
  /// The event of a row, kMissing when the rule does not choose it.
  Result<std::int64_t> event_of(std::uint64_t line, std::span<const std::string_view> cells,
                                const std::string& place);
  /// By number of the event.
  const std::vector<EventData>& data() const { return data_; }

 private:
  bool chosen(std::uint64_t line, std::span<const std::string_view> cells) const;
  std::string key_of(std::span<const std::string_view> cells) const;
  Result<std::string> data_of(std::span<const std::string_view> cells) const;

  const EventRule& rule_;
  bool in_order_;
  const TableFile* table_ = nullptr;
  bool file_fits_ = true;
  FileWords words_;  // of the map's and the rule's pattern
  std::vector<std::string> names_;
  std::vector<std::size_t> where_, by_;  // columns of the table
  std::string open_key_;
  std::int64_t open_ = -1;  // the event of the row before, -1: none
  std::unordered_map<std::string, std::int64_t> by_key_;
  std::vector<EventData> data_;
};

}  // namespace tactelier
