#pragma once
// Where a flat-ended indenter presses: uniform pressure under its face, as on an elastic
// foundation. Small faces only add their second moments to the spread; larger ones are summed over
// points (docs/theory/point-spread.md 3).

#include <optional>
#include <vector>

#include "libcalib/sensor/indenter.hpp"

namespace tactelier {

struct FootprintPoint {
  double x_m = 0, y_m = 0;  // from the tip
  double weight = 0;        // they sum to one
};

struct PressFootprint {
  std::vector<FootprintPoint> points{{0, 0, 1}};
  double moment_xx_m2 = 0, moment_yy_m2 = 0;  // second moments that the points leave out
};

/// Empty for shapes whose contact grows with depth (spheres, wedges ...), plates, compounds and
/// meshes. One point with moments while the face is small against `pitch_m` (error below 1e-4 of
/// the share), else a cubature.
std::optional<PressFootprint> press_footprint(const Indenter& indenter, double pitch_m);

}  // namespace tactelier
