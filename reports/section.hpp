#pragma once
// What a report is made of. A section turns a result into plain tables; text, HTML, PDF and window
// render the same Section.

#include <optional>
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

/// For terminals: columns aligned, a line under titles and headers, no trailing spaces. Where
/// `line_characters` is given, cells of words are broken so that a row fits as well as it can.
std::string to_text(std::span<const Section> sections,
                    std::optional<std::size_t> line_characters = {});

}  // namespace tactelier
