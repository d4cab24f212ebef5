#include "libcalib/forward/image_layout.hpp"

#include <cmath>

namespace tactelier {

ImageLayout ImageLayout::of(const SensorDescription& sensor) {
  ImageLayout layout;
  for (const auto& array : sensor.arrays) {
    layout.grids.push_back({array.rows, array.columns, layout.tactels()});
    for (int i = 0; i < array.tactels(); ++i) {
      const auto at_m = sensor.position_m(static_cast<int>(layout.tactels()));
      layout.x_m.push_back(at_m[0]);
      layout.y_m.push_back(at_m[1]);
    }
  }
  const auto& first = sensor.arrays.front();
  layout.pitch_m = std::sqrt(first.pitch_x_m * first.pitch_y_m);
  return layout;
}

ImageLayout ImageLayout::of_grid(int rows, int columns, double pitch_x_m, double pitch_y_m) {
  SensorDescription sensor;
  auto& array = sensor.arrays.emplace_back();
  array.rows = rows;
  array.columns = columns;
  array.pitch_x_m = pitch_x_m;
  array.pitch_y_m = pitch_y_m;
  return of(sensor);
}

}  // namespace tactelier
