#pragma once
// Boards that print numbers: what a line holds, and which lines make a frame.

#include <optional>
#include <string>
#include <vector>

#include "devices/link/link.hpp"
#include "libcalib/result.hpp"

namespace tactelier::devices {

struct TextLines {
  std::string begin;             // of the line before each frame
  std::string prefix;            // before the numbers of each line; with {row} its number
  std::size_t first_row = 0;     // of lines that are numbered
  std::size_t numbers = 0;       // per line, those to skip included
  std::size_t skip = 0;          // at its begin: they only count up, so they are no readings
  std::size_t rows = 1;          // lines of one frame
  bool empty_line_ends = false;  // an empty line ends a frame
  bool words = false;            // numbers stand among words
  int base = 10;
  std::size_t digits = 0;                   // of each number, where nothing stands between them
  std::vector<std::vector<double>> frames;  // readings
};

/// Whether these bytes are printed text: then they are no frames of bytes, whatever repeats in
/// them.
bool is_text(ByteView capture);

/// Fails with kProtocol, naming the lines that are in the way, when lines don't hold equally many
/// numbers, and when digits stand with nothing between and nobody says how many `cells` they are.
Result<TextLines> find_text_lines(ByteView capture, std::optional<std::size_t> cells = {});

}  // namespace tactelier::devices
