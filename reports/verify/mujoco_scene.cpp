#include "reports/verify/mujoco_scene.hpp"

#include <algorithm>
#include <cmath>
#include <pugixml.hpp>
#include <sstream>

namespace tactelier {
namespace {

constexpr double kLeastInertia_kg = 0.01;
constexpr double kDriven_kg = 1e4;  // what moves at a given speed must not mind the pad

void add_slide(pugi::xml_node body, const char* name, const char* axis, double inertia_kg,
               double damping_N_s_per_m) {
  auto joint = body.append_child("joint");
  joint.append_attribute("name").set_value(name);
  joint.append_attribute("type").set_value("slide");
  joint.append_attribute("axis").set_value(axis);
  joint.append_attribute("armature").set_value(fmt::format("{:.9g}", inertia_kg).c_str());
  joint.append_attribute("damping").set_value(fmt::format("{:.9g}", damping_N_s_per_m).c_str());
}

/// Along z, coming to rest without swinging on springs of this stiffness in all; the inertia keeps
/// the damping stable.
void add_resting_slide(pugi::xml_node body, const char* name, double stiffness_N_per_m,
                       double time_step_s, double least_inertia_kg = kLeastInertia_kg) {
  const double inertia_kg =
      std::max(least_inertia_kg, 16 * stiffness_N_per_m * time_step_s * time_step_s);
  add_slide(body, name, "0 0 1", inertia_kg, 2 * std::sqrt(inertia_kg * stiffness_N_per_m));
}

pugi::xml_node add_body(pugi::xml_node world, const char* name) {
  auto body = world.append_child("body");
  body.append_attribute("name").set_value(name);
  body.append_attribute("pos").set_value(fmt::format("0 0 {}", kParked_m).c_str());
  return body;
}

void add_shape(pugi::xml_node body, const char* type, const std::string& size) {
  auto geom = body.append_child("geom");
  geom.append_attribute("type").set_value(type);
  geom.append_attribute("size").set_value(size.c_str());
  geom.append_attribute("mass").set_value("0.001");
  geom.append_attribute("contype").set_value("2");
  geom.append_attribute("conaffinity").set_value("1");
}

double reach_m(const MujocoPad& pad) {
  double reach = 0;
  for (const auto& place : pad.places)
    for (const double along_m : place.position_m) reach = std::max(reach, std::abs(along_m));
  return reach;
}

std::string plate_size(const MujocoPad& pad) {
  return fmt::format("{0:.9g} {0:.9g} {1:.9g}", reach_m(pad) + kSlideRoom_m, kPlateHalf_m);
}

void add_plate(const MujocoPad& pad, pugi::xml_node world) {
  auto body = add_body(world, kPlateBody);
  const double stiffness = pad.stiffness_N_per_m * static_cast<double>(pad.places.size());
  add_resting_slide(body, kPlatePress, stiffness, pad.time_step_s);
  add_shape(body, "box", plate_size(pad));
}

void add_ram(const MujocoPad& pad, pugi::xml_node world) {
  auto body = add_body(world, kRamBody);
  add_slide(body, kRamSlide, "1 0 0", kDriven_kg, 0);
  add_slide(body, kRamPress, "0 0 1", kDriven_kg, 0);
  add_shape(body, "box", plate_size(pad));
}

void add_ball(const MujocoPad& pad, pugi::xml_node world) {
  auto body = add_body(world, kBallBody);
  add_resting_slide(body, kBallPress, pad.stiffness_N_per_m, pad.time_step_s);
  add_shape(body, "sphere", fmt::format("{:.9g}", ball_radius_m(pad)));
}

/// Without friction: where contacts lean it would make tips tremble (MuJoCo 2), and at rest it
/// carries nothing. What tips' contacts are like otherwise is taken from the exported file.
void make_slippery(pugi::xml_node body) {
  auto geom = body.child("geom");
  const auto tips = body.root().child("mujoco").child("default").child("default").child("geom");
  geom.append_attribute("priority").set_value("2");
  geom.append_attribute("condim").set_value("1");
  for (const auto* name : {"solref", "solimp"})
    geom.append_attribute(name).set_value(tips.attribute(name).value());
}

/// Presses the whole pad.
void add_shapes(const MujocoPad& pad, const PadShapes& shapes, pugi::xml_node world) {
  const double stiffness = pad.stiffness_N_per_m * static_cast<double>(pad.places.size());
  auto ball = add_body(world, kLargeBallBody);
  add_resting_slide(ball, kLargeBallPress, stiffness, pad.time_step_s, kShapeInertia_kg);
  add_shape(ball, "sphere", fmt::format("{:.9g}", shapes.ball_radius_m - shapes.tip_radius_m));
  make_slippery(ball);
  auto strip = add_body(world, kStripBody);
  add_resting_slide(strip, kStripPress, stiffness, pad.time_step_s, kShapeInertia_kg);
  add_shape(strip, "box",
            fmt::format("{:.9g} {:.9g} {:.9g}", shapes.strip_width_m / 2,
                        reach_m(pad) + kSlideRoom_m, kPlateHalf_m));
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
  const auto parsed = document.load_string(mjcf.c_str());
  auto world = document.child("mujoco").child("worldbody");
  if (!parsed || !world)
    return fail(ErrorCode::kInvalidInput, "the exported file is no MJCF: {}", parsed.description());
  // Whatever stands above waits there; a second <option> adds to the first.
  document.child("mujoco").append_child("option").append_attribute("gravity").set_value("0 0 0");
  add_plate(pad, world);
  add_ram(pad, world);
  add_ball(pad, world);
  if (shapes) add_shapes(pad, *shapes, world);
  std::ostringstream out;
  document.save(out);
  return out.str();
}

}  // namespace tactelier
