#pragma once
// Static presses of shaped indenters that a session recorded to be compared with predictions: the
// events image_begin and image_end (docs/session-format.md). They never enter a fit.

#include <optional>
#include <span>
#include <vector>

#include "libcalib/session/events.hpp"

namespace tactelier {

struct ImagePress {
  int number = 0;
  double begin_s = 0, end_s = 0;  // host time, indenter at rest
  Indenter indenter;
  double x_m = 0, y_m = 0;  // as stated, sensor frame
  double rz_rad = 0, tilt_x_rad = 0, tilt_y_rad = 0;
  std::optional<double> force_N;  // what was asked of the rig
  std::optional<double> mass_kg;  // of what was put on by hand
};

/// In order of begin; one that never ends is left out.
Result<std::vector<ImagePress>> image_presses(std::span<const Event> events);

}  // namespace tactelier
