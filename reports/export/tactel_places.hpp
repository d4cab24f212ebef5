#pragma once
// Where each tactel stands in the pad and which way it looks, for formats that build the pad of
// one body per tactel. Every place names its array, row and column, since readers of rows and
// columns disagree about their order.

#include <array>
#include <string>
#include <vector>

#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

struct TactelPlace {
  int tactel = 0;
  int array = 0, row = 0, column = 0;
  Vector3 position_m{};     // S
  Vector3 normal{};         // out of the surface, length one, S
  double half_width_m = 0;  // half of the shorter pitch
  Vector3 rpy_rad{};        // turns +z into the normal, and +x along the columns of a flat array
  std::array<double, 2> pitch_m{};  // along the columns, along the rows

  /// "t12_a0_r2_c0"
  std::string name() const;
};

/// Turns +z into the normal: w x y z.
std::array<double, 4> quaternion_to(const Vector3& normal);

/// In the order of the tactels.
std::vector<TactelPlace> tactel_places(const SensorDescription& sensor);

/// All in one plane that looks along +z: a plate touches them all at once.
bool is_level(const std::vector<TactelPlace>& places);

}  // namespace tactelier
