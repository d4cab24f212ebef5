#pragma once
// Which places of an array a step means by "sites", a number, names, tactels or points.
//
// The nine standard sites of an array, in the order in which a number takes them: centre, left edge
// (-x), lower left corner, right edge, upper right corner, lower edge (-y), lower right corner,
// upper edge, upper left corner. "edges" are the tactels in the middle of the four sides. On an
// even number of columns or rows the centre is the tactel on its upper right. A sensor of several
// arrays has these sites on each.

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "libcalib/protocol/protocol.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

struct Place {
  std::optional<int> tactel;  // absent between tactels
  double x_m = 0;
  double y_m = 0;
  double surface_z_m = 0;  // height of the undeformed surface there
};

/// Fails with kInvalidInput on a tactel that the sensor lacks or a point off the array. No place
/// comes twice.
Result<std::vector<Place>> places(const Sites& sites, const SensorDescription& sensor);

/// Serpentine from the corner x0, y0; both ends are pressed when step divides the side. A point
/// that is a tactel's centre (to 1 um) carries its number.
Result<std::vector<Place>> raster_places(const steps::Raster& raster,
                                         const SensorDescription& sensor);

/// The place at a point of the sensor frame; fails when it lies off the array.
Result<Place> place_at(double x_m, double y_m, const SensorDescription& sensor);

/// Fisher-Yates on a 64-bit Mersenne twister with our own draw: the same on every platform.
class Shuffler {
 public:
  explicit Shuffler(std::uint64_t seed);
  /// 0 .. count-1, shuffled; each call goes on where the last one stopped.
  std::vector<std::size_t> order(std::size_t count);

 private:
  std::uint64_t below(std::uint64_t bound);
  std::mt19937_64 random_;
};

}  // namespace tactelier
