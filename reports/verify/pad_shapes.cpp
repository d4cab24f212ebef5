#include "reports/verify/pad_shapes.hpp"

#include <algorithm>
#include <numbers>
#include <set>

#include "libcalib/forward/soft_contact_method.hpp"

namespace tactelier {
namespace {

constexpr double kPitchesOfRadius = 20;  // at least: a contact of some tactels leans little
constexpr double kDepthsOfRadius = 150;  // at least: its rim leans by 0.12
constexpr double kWidth_pitches2 = 3;    // at least three tactels to each side are touched
constexpr double kStripLength_m = 1;     // beyond any pad

/// Places along x where tactels stand.
std::vector<double> columns_m(const MujocoPad& pad) {
  std::set<double> found;
  for (const auto& place : pad.places) found.insert(place.position_m[0]);
  return {found.begin(), found.end()};
}

bool alike(const MujocoPad& pad) {
  return std::all_of(pad.places.begin(), pad.places.end(), [&](const auto& place) {
    return place.half_width_m == pad.places[0].half_width_m;
  });
}

StaticPress press_of(const PadShapes& shapes, PadShape shape, double depth_m) {
  StaticPress press;
  press.load.by = PressLoad::By::kDepth;
  press.load.depth_m = depth_m;
  if (shape == PadShape::kBall) {
    press.indenter.shape = IndenterShape::kSphere;
    press.indenter.diameter_m = 2 * shapes.ball_radius_m;
    return press;
  }
  press.indenter.shape = IndenterShape::kEdge;
  press.indenter.length_m = kStripLength_m;
  press.indenter.width_m = shapes.strip_width_m;
  press.pose.x_m = shapes.strip_x_m;
  press.pose.rz_rad = std::numbers::pi / 2;  // its long side goes along the rows
  return press;
}

}  // namespace

std::optional<PadShapes> pad_shapes(const MujocoPad& pad, const PressList& list) {
  const auto columns = columns_m(pad);
  if (!is_level(pad.places) || !alike(pad) || columns.size() < 3) return std::nullopt;
  PadShapes shapes;
  shapes.tip_radius_m = mujoco_tip_radius_m(pad.places[0]);
  const double half_m = pad.places[0].half_width_m, pitch_m = 2 * half_m;
  const double depth_m = list.depth_m(list.load_N(kPressLevels.back()));
  shapes.ball_radius_m = std::max({kPitchesOfRadius * pitch_m, kDepthsOfRadius * depth_m,
                                   kWidth_pitches2 * pitch_m * pitch_m / depth_m});
  // From half way before the middle column to half way behind it.
  const auto middle = columns.size() / 2;
  const double begin_m = (columns[middle - 1] + columns[middle]) / 2;
  const double end_m = middle + 1 < columns.size() ? (columns[middle] + columns[middle + 1]) / 2
                                                   : columns[middle] + half_m;
  shapes.strip_x_m = (begin_m + end_m) / 2;
  shapes.strip_width_m = end_m - begin_m;
  return shapes;
}

Result<ShapeImage> shape_image(const SensorModel& model, const MujocoPad& pad,
                               const PadShapes& shapes, PadShape shape, double depth_m) {
  auto written = model;
  if (!pad.hardening) written.stiffness.curve.clear();
  const auto method = SoftContactMethod::create(written);
  if (!method) return fail(method.error());
  const auto image = method->press(press_of(shapes, shape, depth_m));
  if (!image) return fail(image.error());
  return ShapeImage{image->load_N, image->force_N};
}

}  // namespace tactelier
