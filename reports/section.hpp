#pragma once
// What a report is made of. A section turns a result into plain tables; text, HTML, PDF and window
// render the same Section.

#include <span>
#include <string>
#include <vector>

namespace tactelier {

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // as many cells as there are columns
};

struct Section {
  std::string title;
  std::vector<Table> tables;
  std::vector<std::string> warnings;  // what a reader must not miss
};

/// For terminals: columns aligned, a line under titles and headers, no trailing spaces.
std::string to_text(std::span<const Section> sections);

}  // namespace tactelier
