#pragma once
// The table of presses that `simulate --batch` reads: one row each, columns by name in any order:
//   x_mm y_mm rz_deg tilt_x_deg tilt_y_deg   pose of the tip, 0 where left out
//   force_N, mass_g or depth_mm              the load, exactly one of them
//   indenter                                 JSON or file; else what the command line says
// or, from a file .json, the presses that ranges draw (drawn_presses.hpp).

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "libcalib/forward/press_image.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

struct BatchPose {
  std::shared_ptr<const Indenter> indenter;  // shared by rows with the same text
  PressPose pose;
  PressLoad load;
  std::uint64_t line = 0;  // in the table
};

/// A table, or ranges. `indenter`: JSON or file, for tables without a column for it. Fails with
/// kInvalidInput naming the line, or a column that is unknown, twice or missing.
Result<std::vector<BatchPose>> read_batch_poses(const std::filesystem::path& table,
                                                const std::string& indenter);

}  // namespace tactelier
