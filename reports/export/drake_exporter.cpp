#include "reports/export/drake_exporter.hpp"

#include "reports/export/drake_pad.hpp"
#include "reports/export/export_text.hpp"
#include "reports/export/export_xml.hpp"
#include "reports/export/sdf_elements.hpp"

namespace tactelier {
namespace {

constexpr std::string_view kDrake = "Drake";
constexpr double kNominal_kg = 0.1;  // of the pad

std::vector<std::string> about_drake(const DrakePad& pad) {
  std::vector<std::string> lines{
      "Tactile pad for Drake, SI. Frame: centre of the undeformed surface, +z out of it, columns "
      "along +x, rows along +y.",
      "What touches the pad takes part: give it drake:relaxation_time 0 (by default it adds 0.1 s) "
      "and the pad's friction (Drake takes 2 ab / (a + b))."};
  if (pad.relaxation_time_s)
    lines.emplace_back(
        "relaxation_time is c / k and exact: choose the contact approximation SAP, "
        "which alone reads it.");
  if (pad.dissipation_at_N)
    lines.push_back(
        fmt::format("hunt_crossley_dissipation is c / F at F = {:.6g} N on a tactel, "
                    "half of the range: right there alone. SAP leaves it out.",
                    *pad.dissipation_at_N));
  return lines;
}

std::vector<std::string> about_points(const DrakePad& pad) {
  auto lines = about_drake(pad);
  lines.insert(lines.begin() + 1,
               fmt::format("A sphere per tactel, named tTACTEL_aARRAY_rROW_cCOLUMN, row by row, "
                           "array after array: the forces of its point contacts are those on it. "
                           "point_contact_stiffness {:.9g} N/m in series with Drake's 1e6 N/m for "
                           "other bodies is {:.9g} N/m.",
                           pad.written_stiffness_N_per_m, pad.stiffness_N_per_m));
  return lines;
}

std::vector<std::string> about_boxes(const DrakePad& pad) {
  auto lines = about_drake(pad);
  lines.insert(lines.begin() + 1,
               "One compliant hydroelastic box per array, twice as high as the layer: the force on "
               "a tactel is the contact surface's pressure summed over its cell. What touches the "
               "pad needs drake:rigid_hydroelastic.");
  return lines;
}

void add_optional(pugi::xml_node node, const char* name, const std::optional<double>& value) {
  if (value) add_element(node, name, *value);
}

void add_shared_properties(const DrakePad& pad, pugi::xml_node properties) {
  add_optional(properties, "drake:hunt_crossley_dissipation", pad.dissipation_s_per_m);
  add_optional(properties, "drake:relaxation_time", pad.relaxation_time_s);
  add_optional(properties, "drake:mu_static", pad.mu_static);
  add_optional(properties, "drake:mu_dynamic", pad.mu_dynamic);
}

void add_point(const DrakePad& pad, const TactelPlace& place, pugi::xml_node link) {
  auto collision = link.append_child("collision");
  set_attribute(collision, "name", place.name());
  add_sdf_sphere(collision, place, sdf_tip_pose(place));
  auto properties = collision.append_child("drake:proximity_properties");
  add_element(properties, "drake:point_contact_stiffness", pad.written_stiffness_N_per_m);
  add_shared_properties(pad, properties);
  auto visual = link.append_child("visual");
  set_attribute(visual, "name", place.name() + "_seen");
  add_sdf_sphere(visual, place, sdf_tip_pose(place));
}

/// Its upper face is the array's surface.
void add_box(const DrakePad& pad, std::size_t array, pugi::xml_node link) {
  const auto& box = pad.layer.boxes[array];
  const auto pose = centre_of(box);
  for (const auto* kind : {"collision", "visual"}) {
    auto node = link.append_child(kind);
    set_attribute(node, "name", fmt::format("array_{}_{}", array, kind));
    add_element(node, "pose", sdf_pose_text(pose.position_m, pose.rpy_rad));
    add_element(node.append_child("geometry").append_child("box"), "size",
                numbers_text(box.size_m));
  }
  auto collision = link.find_child_by_attribute("collision", "name",
                                                fmt::format("array_{}_collision", array).c_str());
  auto properties = collision.append_child("drake:proximity_properties");
  properties.append_child("drake:compliant_hydroelastic");
  add_element(properties, "drake:hydroelastic_modulus", box.modulus_Pa);
  add_element(properties, "drake:mesh_resolution_hint", pad.places[0].half_width_m);
  add_shared_properties(pad, properties);
}

pugi::xml_node add_link(const DrakePad& pad, const SlotContents& contents,
                        std::span<const std::string> opening, pugi::xml_document& document) {
  document.append_child(pugi::node_comment).set_value(block_comment(opening).c_str());
  auto model = add_sdf_root(document, "xmlns:drake", "http://drake.mit.edu").append_child("model");
  set_attribute(model, "name", pad.name);
  add_slot_values(contents, model);
  add_comment(model,
              fmt::format("The pad's mass is not known: {:g} kg stands for it.", kNominal_kg));
  auto link = model.append_child("link");
  set_attribute(link, "name", "pad");
  add_sdf_inertial(link, kNominal_kg, plate_half_edge_m(pad));
  return link;
}

std::string points_text(const DrakePad& pad, const SlotContents& contents,
                        std::span<const std::string> opening) {
  pugi::xml_document document;
  auto link = add_link(pad, contents, opening, document);
  for (const auto& place : pad.places) add_point(pad, place, link);
  return document_text(document);
}

std::string boxes_text(const DrakePad& pad, const SlotContents& contents,
                       std::span<const std::string> opening) {
  pugi::xml_document document;
  auto link = add_link(pad, contents, opening, document);
  for (std::size_t i = 0; i < pad.layer.boxes.size(); ++i) add_box(pad, i, link);
  return document_text(document);
}

void add_own_losses(const SensorModel& model, const DrakePad& pad, std::vector<Loss>& losses) {
  if (!model.stiffness.curve.empty())
    losses.push_back({"stiffness.curve",
                      "Drake has one stiffness per contact: k is written, hardening isn't", false});
  if (!pad.layer.none.empty())
    losses.push_back(
        {"hydroelastic.modulus", "no hydroelastic pad beside it: " + pad.layer.none, false});
}

}  // namespace

Result<Exported> DrakeExporter::write(const SensorModel& model) const {
  const auto contents = fill_slots(model, drake_slots(), kDrake);
  if (!contents) return fail(contents.error());
  const auto pad = drake_pad(model, *contents);
  if (!pad) return fail(pad.error());
  auto losses = slot_losses(model, *contents, kDrake);
  add_own_losses(model, *pad, losses);
  const auto opening = opening_lines(model, about_points(*pad), losses);
  Exported exported{points_text(*pad, *contents, opening), losses, export_warnings(model)};
  if (!pad->layer.boxes.empty()) {
    const auto boxes = opening_lines(model, about_boxes(*pad), losses);
    exported.sidecars.push_back(
        {pad->name + "_hydroelastic.sdf", boxes_text(*pad, *contents, boxes)});
  }
  return exported;
}

}  // namespace tactelier
