#pragma once
// Tactile images as files (docs/theory/forward.md 7). CSV: rows x columns, row 0 first, an empty
// cell where a tactel has no number; JSON (data/schemas/image.schema.json) with unit and pitch; PNG
// for the eye, one grey pixel per tactel, row 0 at the bottom.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/forward/image_layout.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

struct ImageFile {
  ImageLayout layout;
  double pitch_x_m = 0, pitch_y_m = 0;  // 0: not known
  std::vector<double> values;           // NaN: none
  std::string unit;                     // "N", "counts"; "" where the file doesn't say
};

/// Of a sensor with one array; others fail with kUsage.
Result<ImageFile> image_of(const SensorDescription& sensor, std::vector<double> values,
                           std::string_view unit);

/// By the ending of the name: .csv, .json or .png; any other fails with kUsage. `white`: what the
/// picture shows brightest, the image's own largest number where empty.
Result<void> write_image(const ImageFile& image, std::optional<double> white,
                         const std::filesystem::path& file);

/// .csv or .json. Fails with kInvalidInput naming file and line, or what the schema forbids.
Result<ImageFile> read_image(const std::filesystem::path& file);

}  // namespace tactelier
