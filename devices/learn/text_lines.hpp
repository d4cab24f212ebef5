#pragma once
// Boards that print numbers: what a line holds, and which lines make a frame.

#include <optional>
#include <string>
#include <vector>

#include "devices/link/link.hpp"

namespace tactelier::devices {

struct TextLines {
  std::string prefix;            // before the numbers of each line
  std::size_t numbers = 0;       // per line, those to skip included
  std::size_t skip = 0;          // at its begin: they only count up, so they are no readings
  std::size_t rows = 1;          // lines of one frame
  bool empty_line_ends = false;  // an empty line ends a frame
  std::vector<std::vector<double>> frames;  // readings
};

/// Nothing when these bytes are no text, or no lines of equally many numbers.
std::optional<TextLines> find_text_lines(ByteView capture);

}  // namespace tactelier::devices
