#pragma once
// Rows and columns of an array of which only the number of readings is known: neighbours feel the
// same press.

#include <optional>
#include <vector>

namespace tactelier::devices {

struct ShapeGuess {
  int rows = 1, columns = 1;
  bool sure = false;
};

/// `frames`: readings, one frame each, all of the same size. Of all factors the number of columns
/// whose readings one row apart go together best; where nothing moved, what is nearest a square.
ShapeGuess guess_shape(const std::vector<std::vector<double>>& frames);

}  // namespace tactelier::devices
