#pragma once
// Files that hold named arrays of numbers, as NumPy, MATLAB and HDF5 write them: which of the
// arrays are the columns of one table. Everything behind it reads the plain table that is written
// from them.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "libcalib/job.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

struct NamedArray {
  std::string name;                  // inside its file: "force", "press/force"
  std::size_t rows = 0, width = 1;   // an array of more axes has all but the first in `width`
  std::vector<double> values;        // row by row
  std::vector<std::string> columns;  // names of its own; else NAME, or NAME_0, NAME_1 ...
  bool single = false;               // 32-bit numbers: 0.1 is 0.1 and not 0.10000000149
};

struct ArrayFile {
  std::vector<NamedArray> arrays;
  std::vector<std::string> unread;  // "label: text", what is in the file beside numbers
};

/// The arrays that have as many rows as most of the file's numbers have, as one CSV table. Arrays
/// that lie across (84 x 10000 beside 10000 times) are turned. Single numbers are no columns.
/// Columns lose the path of their array ("press.force" is "force") where that leaves them
/// different. Returns what was left out, for a warning. Fails with kInvalidInput when no array has
/// two rows.
Result<std::vector<std::string>> write_as_table(const ArrayFile& file, const std::string& name,
                                                const std::filesystem::path& csv, const Job& job);

}  // namespace tactelier
