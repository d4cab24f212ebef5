#pragma once
// What is suspicious in a table although every cell can be read: time stamps that repeat, tactels
// that are copies of each other, a column in another unit than its name or its neighbours say, a
// force that falls when the indenter presses. Found while importing, told as warnings with the
// columns' names; nothing is changed. So are readings beyond the converter.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "libcalib/import/table_reader.hpp"
#include "libcalib/session/metadata.hpp"

namespace tactelier {

class TableAudit {
 public:
  TableAudit(const TableMap& map, const TableReader& reader, const SessionMetadata& metadata);

  void add(const TableRow& row, double time_s);
  void finish(Warnings& warnings) const;

 private:
  /// One mapped column over all rows.
  struct Column {
    std::string name;  // in the table
    MapTarget target;
    std::size_t entry = 0;
    std::uint64_t hash = 0;                   // of the cells in their order
    std::uint64_t changes = 0;                // rows unlike the row before
    std::int64_t mantissa = 0;                // of the row before
    double lowest = 0, highest = 0, sum = 0;  // in the column's unit
    std::uint64_t rows = 0;
    std::uint64_t beyond = 0, first_beyond = 0;  // the converter; a data row, from 1
  };

  void follow(Column& column, const TableRow& row);
  void tell(Warnings& warnings, std::string code, std::string text) const;
  void repeated_times(Warnings& warnings) const;
  void copied_tactels(Warnings& warnings) const;
  void units_of_names(Warnings& warnings) const;
  void units_of_neighbours(Warnings& warnings) const;
  void sizes(Warnings& warnings) const;
  std::array<double, 2> converter() const;
  void beyond_converter(Warnings& warnings) const;
  void sign_of_force(Warnings& warnings) const;

  const TableMap& map_;
  const SessionMetadata& metadata_;
  std::array<double, 2> converter_;  // least and largest count; infinite where nothing says
  std::vector<Column> columns_;
  std::string time_column_;
  double last_s_ = 0;
  double first_repeat_s_ = 0;
  std::uint64_t rows_ = 0, repeats_ = 0;
};

}  // namespace tactelier
