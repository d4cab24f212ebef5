#include "libcalib/pad/ghosting.hpp"

#include <vector>

namespace tactelier::pad {

void add_ghosts(const SensorDescription& sensor, const ReadingEffects& effects,
                std::span<const double> own, std::span<double> ghosted) {
  std::size_t first = 0;
  const double of_row = effects.ghosting * (1 + effects.ghosting_uneven);
  const double of_column = effects.ghosting * (1 - effects.ghosting_uneven);
  for (const auto& array : sensor.arrays) {
    const auto rows = static_cast<std::size_t>(array.rows);
    const auto columns = static_cast<std::size_t>(array.columns);
    std::vector<double> row_sum(rows, 0), column_sum(columns, 0);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) {
        row_sum[i] += own[first + i * columns + j];
        column_sum[j] += own[first + i * columns + j];
      }
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) {
        const std::size_t at = first + i * columns + j;
        ghosted[at] =
            own[at] + of_row * (row_sum[i] - own[at]) + of_column * (column_sum[j] - own[at]);
      }
    first += rows * columns;
  }
}

}  // namespace tactelier::pad
