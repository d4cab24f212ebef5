#pragma once
// Reads the tables of one import row by row, as their map says: cells, what is the same in every
// row, and the events that each row belongs to.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libcalib/import/csv_reader.hpp"
#include "libcalib/import/rule_rows.hpp"
#include "libcalib/import/table_map.hpp"

namespace tactelier {

/// A row as integers, so that it can be sorted: [0] time, then the event of each of the map's
/// rules, then one entry per mapped column and constant.
struct TableRow {
  static constexpr std::size_t kTime = 0;
  static constexpr std::size_t kFirstRule = 1;
  std::vector<std::int64_t> mantissas;
  std::vector<std::int8_t> exponents;
};

class TableReader {
 public:
  /// `in_order`: rows are taken as they come, not sorted afterwards.
  TableReader(const TableMap& map, bool in_order);

  /// Reads the header: every column of the table is in the map and the other way round.
  Result<void> open(const TableFile& table, ImportProgress& progress);
  /// False at the end of the open table.
  Result<bool> next(TableRow& row);
  /// Whether the header stood once more above the row read last: a logger that began again.
  bool began_again() const { return csv_->began_again(); }
  /// A failure at the row read last.
  tl::unexpected<Error> bad(std::string_view what) const;

  /// What the entries of a row are, from first_entry() on; of the first table opened.
  const std::vector<MapTarget>& targets() const { return targets_; }
  std::size_t first_entry() const { return TableRow::kFirstRule + rules_.size(); }
  std::size_t width() const { return first_entry() + targets_.size(); }
  const std::vector<RuleRows>& rules() const { return rules_; }

 private:
  static void put(TableRow& row, std::size_t entry, const Decimal& number);
  Result<void> read_header();
  Result<void> add_column(const std::string& name);
  std::size_t entry_of(const std::string& text);
  Result<void> read_cells(TableRow& row);

  const TableMap& map_;
  std::optional<CsvReader> csv_;
  std::vector<RuleRows> rules_;
  std::vector<MapTarget> targets_;
  std::vector<std::string> names_;          // columns of the open table
  std::vector<std::size_t> entries_;        // of each, kIgnored, in targets_
  std::vector<bool> is_time_;               // of each
  std::vector<const ColumnScale*> scales_;  // of each, nullptr: none
  std::vector<Decimal> constants_;          // of the open table, in order of the map
  std::size_t first_constant_ = 0;          // in targets_
  bool opened_ = false;                     // a first table
  std::int64_t rows_ = 0;
};

}  // namespace tactelier
