#pragma once
// Where the tactels of an image lie. An image is one number per tactel by its index in the sensor;
// NaN where a tactel has none (dead, stuck, without response): it is left out of everything.

#include <cstddef>
#include <vector>

#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

struct ImageLayout {
  /// Rows and columns of one array; the image's numbers from `first` on.
  struct Grid {
    int rows = 0, columns = 0;
    std::size_t first = 0;

    std::size_t at(int row, int column) const {
      return first + static_cast<std::size_t>(row * columns + column);
    }
  };
  std::vector<Grid> grids;
  std::vector<double> x_m, y_m;  // S
  double pitch_m = 0;            // sqrt(pitch_x pitch_y) of the first array; 0 where unknown

  std::size_t tactels() const { return x_m.size(); }

  static ImageLayout of(const SensorDescription& sensor);
  /// A grid whose centre is the origin; pitch 0: not known, no length of it is either.
  static ImageLayout of_grid(int rows, int columns, double pitch_x_m, double pitch_y_m);
};

}  // namespace tactelier
