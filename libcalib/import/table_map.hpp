#pragma once
// A map file: what the columns of a table from elsewhere mean (data/schemas/map.schema.json).

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/import/event_rule.hpp"
#include "libcalib/import/map_target.hpp"
#include "libcalib/import/table_files.hpp"
#include "libcalib/result.hpp"
#include "libcalib/session/decimal.hpp"
#include "libcalib/session/stream.hpp"

namespace tactelier {

/// A straight line through two known points: a column in counts of a load cell whose readings under
/// two loads are known.
struct ColumnScale {
  double reads = 0, is = 0;  // the first point; `is` in the column's unit
  double slope = 1;          // unit per count

  /// Rounded to a thousandth of a count or less.
  Decimal of(const Decimal& reading) const;
};

struct TableMap {
  struct Constant {
    MapTarget target;
    std::string number;  // as in the map: "0", or "{mass}", a word of the file's name
  };

  std::string session;  // session.json as the map describes it, but for the name of the table
  char delimiter = ',';
  std::vector<std::string> names;             // of the columns, of tables without a line of them
  bool static_readings = false;               // row_is "press"
  std::optional<double> rate_hz;              // of rows without a time
  std::map<std::string, MapTarget> columns;   // by the table's column name
  std::map<std::string, ColumnScale> scales;  // by column name
  std::vector<Constant> constants;
  std::string files;              // pattern of the tables' names, may be empty
  std::vector<EventRule> events;  // those of press_by and rest among them

  /// Whether events say which rows are under which load, so that no column need.
  bool states_loads() const;
};

/// The number of a constant in one table.
Result<Decimal> constant_in(const TableMap::Constant& constant, const TableFile& table);

/// Messages begin with `where`, the map's file name, and name the key.
Result<TableMap> parse_table_map(std::string_view json_text, std::string_view where);

/// session.json; `source` is the name of what is imported, kept in the session.
std::string session_of(const TableMap& map, std::string_view source);

}  // namespace tactelier
