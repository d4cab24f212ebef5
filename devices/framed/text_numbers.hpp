#pragma once
// Numbers in a line of text, as boards print them.

#include <string_view>
#include <vector>

namespace tactelier::devices {

struct TextNumbers {
  std::vector<double> numbers;
  std::string_view odd;  // the first cell that is no number; empty: all are
};

/// Cells between blanks, tabs, commas and semicolons, each a number: "12", "-1.5", "+12.3"; with
/// base 16 "03FF".
TextNumbers numbers_of(std::string_view line, int base = 10);

/// Numbers of so many digits each with nothing between: 03FF and 01A2 of "03FF01A2", by base 16 and
/// four digits. What is left over is odd.
TextNumbers numbers_joined(std::string_view line, int base, std::size_t digits);

/// Numbers wherever they stand, the text between passed over: 12 and 1.5 of "S0:12 load 1.5N".
/// Digits right behind a letter or an underscore belong to a word. `odd` stays empty.
TextNumbers numbers_among_words(std::string_view line);

}  // namespace tactelier::devices
