#include "reports/verify/mujoco_scene.hpp"

#include <algorithm>
#include <sstream>

#include "reports/verify/mjcf_parts.hpp"

namespace tactelier {
namespace {

using mjcf::add_driven_slide;
using mjcf::add_resting_slide;
using mjcf::add_shape;
using mjcf::reach_m;

pugi::xml_node add_body(pugi::xml_node world, const char* name) {
  return mjcf::add_body(world, name, fmt::format("0 0 {}", kParked_m));
}

std::string plate_size(const MujocoPad& pad) {
  return fmt::format("{0:.9g} {0:.9g} {1:.9g}", reach_m(pad) + mjcf::kBesidePad_m,
                     mjcf::kPlateHalf_m);
}

void add_plate(const MujocoPad& pad, pugi::xml_node world) {
  auto body = add_body(world, kPlateBody);
  const double stiffness = pad.stiffest_N_per_m() * static_cast<double>(pad.places.size());
  add_resting_slide(body, kPlatePress, stiffness, pad.time_step_s);
  add_shape(body, "box", plate_size(pad));
}

void add_ram(const MujocoPad& pad, pugi::xml_node world) {
  auto body = add_body(world, kRamBody);
  add_driven_slide(body, kRamSlide, "1 0 0");
  add_driven_slide(body, kRamPress, "0 0 1");
  add_shape(body, "box", plate_size(pad));
}

void add_ball(const MujocoPad& pad, pugi::xml_node world) {
  auto body = add_body(world, kBallBody);
  add_resting_slide(body, kBallPress, pad.stiffest_N_per_m(), pad.time_step_s);
  add_shape(body, "sphere", fmt::format("{:.9g}", ball_radius_m(pad)));
}

/// Presses the whole pad.
void add_shapes(const MujocoPad& pad, const PadShapes& shapes, pugi::xml_node world) {
  auto ball = add_body(world, kLargeBallBody);
  add_driven_slide(ball, kLargeBallPress, "0 0 1");
  mjcf::make_slippery(
      add_shape(ball, "sphere", fmt::format("{:.9g}", shapes.ball_radius_m - shapes.tip_radius_m)));
  auto strip = add_body(world, kStripBody);
  add_driven_slide(strip, kStripPress, "0 0 1");
  add_shape(strip, "box",
            fmt::format("{:.9g} {:.9g} {:.9g}", shapes.strip_width_m / 2,
                        reach_m(pad) + mjcf::kBesidePad_m, mjcf::kPlateHalf_m));
}

}  // namespace

double ball_radius_m(const MujocoPad& pad) {
  const auto narrowest = std::min_element(
      pad.places.begin(), pad.places.end(),
      [](const auto& a, const auto& b) { return a.half_width_m < b.half_width_m; });
  return narrowest->half_width_m / 2;
}

Result<std::string> mujoco_scene(const std::string& mjcf, const MujocoPad& pad,
                                 const std::optional<PadShapes>& shapes) {
  pugi::xml_document document;
  if (auto read = mjcf::read_pad(mjcf, pad, document); !read) return fail(read.error());
  auto world = document.child("mujoco").child("worldbody");
  add_plate(pad, world);
  add_ram(pad, world);
  add_ball(pad, world);
  if (shapes) add_shapes(pad, *shapes, world);
  std::ostringstream out;
  document.save(out);
  return out.str();
}

}  // namespace tactelier
