#include "reports/export/urdf_pad.hpp"

#include "reports/export/export_xml.hpp"

namespace tactelier {
namespace {

void add_urdf_inertial(pugi::xml_node link, double mass_kg, double radius_m) {
  auto inertial = link.append_child("inertial");
  set_attribute(inertial.append_child("mass"), "value", fmt::format("{:.9g}", mass_kg));
  auto inertia = inertial.append_child("inertia");
  for (const auto* about : {"ixx", "iyy", "izz"})
    set_attribute(inertia, about, fmt::format("{:.9g}", 0.4 * mass_kg * radius_m * radius_m));
  for (const auto* about : {"ixy", "ixz", "iyz"}) set_attribute(inertia, about, "0");
}

void add_urdf_tactel(const TactelPlace& place, pugi::xml_node robot,
                     const std::function<void(pugi::xml_node link)>& first) {
  auto link = robot.append_child("link");
  set_attribute(link, "name", place.name());
  first(link);
  add_urdf_inertial(link, kUrdfTip_kg, place.half_width_m);
  for (const auto* kind : {"visual", "collision"}) {
    auto node = link.append_child(kind);
    set_attribute(node.append_child("origin"), "xyz",
                  fmt::format("0 0 {:.9g}", -place.half_width_m));
    set_attribute(node.append_child("geometry").append_child("sphere"), "radius",
                  fmt::format("{:.9g}", place.half_width_m));
  }
  auto joint = robot.append_child("joint");
  set_attribute(joint, "name", place.name() + "_fixed");
  set_attribute(joint, "type", "fixed");
  set_attribute(joint.append_child("parent"), "link", "pad");
  set_attribute(joint.append_child("child"), "link", place.name());
  auto origin = joint.append_child("origin");
  set_attribute(origin, "xyz", numbers_text(place.position_m));
  set_attribute(origin, "rpy", numbers_text(place.rpy_rad));
}

}  // namespace

void add_urdf_links(const TactelPad& pad, pugi::xml_node robot,
                    const std::function<void(pugi::xml_node link)>& first) {
  auto base = robot.append_child("link");
  set_attribute(base, "name", "pad");
  add_urdf_inertial(base, kUrdfPad_kg, plate_half_edge_m(pad));
  for (const auto& place : pad.places) add_urdf_tactel(place, robot, first);
}

}  // namespace tactelier
