#pragma once
// The cells of a spreadsheet, and the table in it: the first sheet with a line of names above
// numbers. Titles and remarks may stand above that line.

#include <string>
#include <vector>

#include "libcalib/import/formats/array_file.hpp"

namespace tactelier {

struct SheetCell {
  enum class Kind { kEmpty, kNumber, kText };
  Kind kind = Kind::kEmpty;
  double number = 0;
  std::string text;
};

struct Sheet {
  std::string name;
  std::vector<std::vector<SheetCell>> rows;  // as long as they are filled

  const SheetCell& at(std::size_t row, std::size_t column) const;
  /// Grown as needed.
  SheetCell& place(std::size_t row, std::size_t column);
};

ArrayFile table_of(const std::vector<Sheet>& sheets);

}  // namespace tactelier
