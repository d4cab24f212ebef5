#pragma once
// Min/max decimation: two points per pixel column, so that no spike is lost and drawing costs the
// same for a second and for an hour.

#include <span>
#include <vector>

namespace tactelier::gui {

struct Point {
  double x = 0;
  double y = 0;
  bool operator==(const Point&) const = default;
};

/// The points of [begin, end] with, per column of (end - begin) / columns, the first, least,
/// greatest and last. `points` ascend in x. One point beyond each end is kept, so that lines run to
/// the edge. NaN (a gap) stays a gap.
std::vector<Point> decimate(std::span<const Point> points, double begin, double end, int columns);

}  // namespace tactelier::gui
