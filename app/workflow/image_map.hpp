#pragma once
// How images of another simulator lie on the sensor (data/schemas/image-map.schema.json): unit,
// order of rows and columns or which tactel is which, and where its pad stands.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "libcalib/forward/image_file.hpp"

namespace tactelier {

/// What the numbers of an image are.
struct ImageUnit {
  enum class Kind { kForce, kCounts, kAboveRest } kind = Kind::kForce;
  double to_si = 1;  // newtons of forces
};
/// "mN", "counts", "counts above rest". Fails with kInvalidInput on any other.
Result<ImageUnit> parse_image_unit(const std::string& unit, const std::string& where);

struct ImageMap {
  std::string where;  // its file, for messages
  ImageUnit unit;
  std::optional<ImageUnit> measured_unit;
  bool from_top = false, from_right = false, transposed = false;
  std::vector<std::vector<std::optional<int>>> tactels;  // empty: by orientation
  double x_m = 0, y_m = 0, rz_rad = 0;

  bool displaced() const { return x_m != 0 || y_m != 0 || rz_rad != 0; }
};

/// Fails with kInvalidInput, naming the file and what is wrong.
Result<ImageMap> read_image_map(const std::filesystem::path& file);

/// The image's numbers, in newtons or counts, in the order of a sensor of rows x columns; NaN for
/// tactels that it has not. Displaced images are read between the centres of their cells, linearly
/// both ways, 0 beside them. Fails with kInvalidInput where the shapes do not fit, and without
/// pitches where the map displaces.
Result<std::vector<double>> mapped(const ImageMap& map, const ImageFile& image,
                                   const ImageLayout::Grid& sensor, double pitch_x_m,
                                   double pitch_y_m);

}  // namespace tactelier
