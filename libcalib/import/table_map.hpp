#pragma once
// A map file: what the columns of a table from elsewhere mean (data/schemas/map.schema.json).

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/result.hpp"
#include "libcalib/session/decimal.hpp"
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

struct TableMap {
  struct Constant {
    MapTarget target;
    Decimal value;
  };

  std::string session;  // session.json as the map describes it
  char delimiter = ',';
  bool static_readings = false;              // row_is "press"
  std::map<std::string, MapTarget> columns;  // by the table's column name
  std::vector<Constant> constants;
  std::vector<std::string> press_by;  // column names
  std::optional<double> threshold_N;
};

/// `table` is the name of the table's file, kept in the session. Messages begin with `where`, the
/// map's file name, and name the key.
Result<TableMap> parse_table_map(std::string_view json_text, std::string_view where,
                                 std::string_view table);

}  // namespace tactelier
