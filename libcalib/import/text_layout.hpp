#pragma once
// Tables of text as programs and instruments write them where they are no plain CSV:
// numpy.savetxt's blanks between numbers and no names, names behind a '#', lines of text above the
// table, units in a line of their own, decimal commas, rows that end with a comma, notes and a
// second line of names between rows, several numbers in one cell, times of day.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libcalib/job.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

struct TextLayout {
  char delimiter = ',';         // ' ': any run of blanks and tabs
  bool decimal_comma = false;   // "0,5"
  bool closed_rows = false;     // each row ends with a delimiter
  std::uint64_t first_row = 2;  // line of the first row of numbers, from 1
  std::size_t columns = 0;      // of numbers or text, without the empty one of closed rows
  // How many numbers the cells of each column list ("[1, 2, 3]"), 0: they hold none but their own.
  // Empty where no column is a list.
  std::vector<std::size_t> listed;
  // What the first cell is of each column of times of day ("12:03:04.5"), "" of any other. Empty
  // where there is none.
  std::vector<std::string> clocks;
  std::vector<std::string> names;  // "load", "load [N]"; empty: the table has no line of names
  // As they are in the file, to be known again further down; empty: there is none.
  std::string names_line, units_line;
};

/// Nothing for plain CSV (a line of names, then rows; one delimiter, decimal points) and for what
/// holds no rows of numbers. `name` stands in messages. Fails with kIo.
Result<std::optional<TextLayout>> unusual_layout(const std::filesystem::path& table,
                                                 const std::string& name);

/// The names once lists have columns of their own: "pos" as "pos_0", "pos_1" ...
std::vector<std::string> with_listed(const std::vector<std::string>& names,
                                     const TextLayout& layout);

/// "column_1", "column_2" ... for a table without a line of names.
std::vector<std::string> numbered_columns(std::size_t columns);

/// Writes the rows as plain CSV under a line of `names`, one for each column. Cells keep their
/// digits; times of day become seconds.
Result<void> write_plain(const std::filesystem::path& table, const std::string& name,
                         const TextLayout& layout, std::span<const std::string> names,
                         const std::filesystem::path& csv, const Job& job);

}  // namespace tactelier
