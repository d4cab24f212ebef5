#include "reports/verify/mjcf_parts.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier::mjcf {
namespace {

constexpr double kLeastInertia_kg = 0.002;
constexpr double kDriven_kg = 1e4;  // what moves at a given speed must not mind the pad

}  // namespace

Result<void> read_pad(const std::string& mjcf, const MujocoPad& pad, pugi::xml_document& document) {
  const auto parsed = document.load_string(mjcf.c_str());
  auto root = document.child("mujoco");
  if (!parsed || !root.child("worldbody"))
    return fail(ErrorCode::kInvalidInput, "the exported file is no MJCF: {}", parsed.description());
  // Whatever stands above waits there; a second <option> adds to the first.
  root.append_child("option").append_attribute("gravity").set_value("0 0 0");
  // The solver's tolerance is a share of the mean inertia, which shall be the tips', not the rams'.
  root.append_child("statistic")
      .append_attribute("meaninertia")
      .set_value(fmt::format("{:.9g}", pad.inertia_kg).c_str());
  return {};
}

namespace {

void add_slide(pugi::xml_node body, const char* name, const char* axis, double inertia_kg,
               double damping_N_s_per_m) {
  auto joint = body.append_child("joint");
  joint.append_attribute("name").set_value(name);
  joint.append_attribute("type").set_value("slide");
  joint.append_attribute("axis").set_value(axis);
  joint.append_attribute("armature").set_value(fmt::format("{:.9g}", inertia_kg).c_str());
  joint.append_attribute("damping").set_value(fmt::format("{:.9g}", damping_N_s_per_m).c_str());
}

}  // namespace

void add_resting_slide(pugi::xml_node body, const char* name, double stiffness_N_per_m,
                       double time_step_s) {
  const double inertia_kg =
      std::max(kLeastInertia_kg, 16 * stiffness_N_per_m * time_step_s * time_step_s);
  add_slide(body, name, "0 0 1", inertia_kg, 2 * std::sqrt(inertia_kg * stiffness_N_per_m));
}

void add_driven_slide(pugi::xml_node body, const char* name, const char* axis) {
  add_slide(body, name, axis, kDriven_kg, 0);
}

pugi::xml_node add_body(pugi::xml_node world, const char* name, const std::string& position) {
  auto body = world.append_child("body");
  body.append_attribute("name").set_value(name);
  body.append_attribute("pos").set_value(position.c_str());
  return body;
}

pugi::xml_node add_shape(pugi::xml_node body, const char* type, const std::string& size) {
  auto geom = body.append_child("geom");
  geom.append_attribute("type").set_value(type);
  if (!size.empty()) geom.append_attribute("size").set_value(size.c_str());
  geom.append_attribute("mass").set_value("0.001");
  geom.append_attribute("contype").set_value("2");
  geom.append_attribute("conaffinity").set_value("1");
  return geom;
}

void make_slippery(pugi::xml_node geom) {
  const auto tips = geom.root().child("mujoco").child("default").child("default").child("geom");
  geom.append_attribute("priority").set_value("2");
  geom.append_attribute("condim").set_value("1");
  for (const auto* name : {"solref", "solimp"})
    geom.append_attribute(name).set_value(tips.attribute(name).value());
}

double reach_m(const MujocoPad& pad) {
  double reach = 0;
  for (const auto& place : pad.places)
    for (const double along_m : place.position_m) reach = std::max(reach, std::abs(along_m));
  return reach;
}

}  // namespace tactelier::mjcf
