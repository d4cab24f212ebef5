#pragma once
// Cells of one line of text, by a delimiter or by blanks.

#include <string>
#include <string_view>
#include <vector>

namespace tactelier {

/// ' ' splits at any run of blanks and tabs, everything else as in CSV. No cells where quotes don't
/// close. The cells are copies without blanks around them.
std::vector<std::string> text_cells(std::string_view line, char delimiter);

/// A number, with a decimal comma where `comma` ("0,5" or "5" but not "0.5"); "nan" is one too.
bool is_text_number(std::string_view cell, bool comma);

/// The numbers of a list in one cell as they are written: "[0.1, 0.2]", "(1 2)", and of three or
/// more "-5,2,2" without brackets (two are a number with a decimal comma). Empty for anything else.
std::vector<std::string> listed_numbers(std::string_view cell);

/// "8,322,237": one number with its thousands parted, or three of three digits.
bool may_part_thousands(std::string_view cell);

/// Without '#', '%', '//' or '!' before it, and the blanks around it.
std::string_view without_comment_mark(std::string_view line);
bool is_comment(std::string_view line);

/// A comment among rows of `columns` cells: not a row whose first cell only looks like one
/// ("#3,0.5,812").
bool is_note(std::string_view line, char delimiter, std::size_t columns);

}  // namespace tactelier
