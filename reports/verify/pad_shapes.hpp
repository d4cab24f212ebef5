#pragma once
// Shapes whose images are compared: a large ball over the middle of a level pad, and a strip across
// it. What our forward model `soft-contact` says of each, a ray per tactel and without spread.
//
// Tips in the target are spheres, so that a pad feels shapes as if they were grown by the tips'
// radius: the ball is that much smaller there. Touch sensors add up forces along contacts' normals,
// which lean by as much as the ball's surface does: it is so large that this is a quarter of a
// percent (docs/newtons.md).

#include <optional>
#include <vector>

#include "reports/verify/press_list.hpp"

namespace tactelier {

enum class PadShape { kBall, kStrip };

struct PadShapes {
  double ball_radius_m = 0;  // the model's; the target's is a tip smaller
  double tip_radius_m = 0;
  double strip_x_m = 0, strip_width_m = 0;  // its rims run between columns
};

/// Empty for pads that are not level, whose tips differ, or with fewer than three columns.
std::optional<PadShapes> pad_shapes(const MujocoPad& pad, const PressList& list);

struct ShapeImage {
  double load_N = 0;
  std::vector<double> force_N;  // on each tactel
};
/// The shape's tip so deep below the surface.
Result<ShapeImage> shape_image(const SensorModel& model, const MujocoPad& pad,
                               const PadShapes& shapes, PadShape shape, double depth_m);

}  // namespace tactelier
