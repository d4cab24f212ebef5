#include "reports/export/sdf_elements.hpp"

#include "reports/export/export_xml.hpp"

namespace tactelier {

pugi::xml_node add_sdf_root(pugi::xml_document& document, const char* prefix, const char* uri) {
  auto root = document.append_child("sdf");
  set_attribute(root, "version", "1.9");
  set_attribute(root, prefix, uri);
  return root;
}

std::string sdf_pose_text(const Vector3& position_m, const Vector3& rpy_rad) {
  return numbers_text(position_m) + " " + numbers_text(rpy_rad);
}

std::string sdf_tip_pose(const TactelPlace& place) {
  Vector3 centre_m{};
  for (std::size_t i = 0; i < 3; ++i)
    centre_m[i] = place.position_m[i] - place.half_width_m * place.normal[i];
  return sdf_pose_text(centre_m, place.rpy_rad);
}

void add_sdf_inertial(pugi::xml_node link, double mass_kg, double radius_m) {
  auto inertial = link.append_child("inertial");
  add_element(inertial, "mass", mass_kg);
  auto inertia = inertial.append_child("inertia");
  for (const auto* about : {"ixx", "iyy", "izz"})
    add_element(inertia, about, 0.4 * mass_kg * radius_m * radius_m);
}

void add_sdf_sphere(pugi::xml_node node, const TactelPlace& place, const std::string& pose) {
  add_element(node, "pose", pose);
  add_element(node.append_child("geometry").append_child("sphere"), "radius", place.half_width_m);
}

}  // namespace tactelier
