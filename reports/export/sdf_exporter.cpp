#include "reports/export/sdf_exporter.hpp"

#include "reports/export/export_text.hpp"
#include "reports/export/export_xml.hpp"
#include "reports/export/sdf_elements.hpp"
#include "reports/export/sdf_model.hpp"

namespace tactelier {
namespace {

constexpr std::string_view kGazebo = "SDFormat";

std::string damping_text(const SdfPad& pad) {
  return fmt::format(
      "For a step of {:g} s: the engine adds k dt = {:.6g} N*s/m to the damping, which "
      "is taken off.",
      pad.time_step_s, pad.stiffness_N_per_m * pad.time_step_s);
}

/// What differs from the model's numbers, and why.
std::vector<std::string> about_numbers(const SdfPad& pad) {
  if (pad.spring == SdfSpring::kContact)
    return {
        damping_text(pad),
        "What touches the pad adds to it: give it <kd>0</kd> (by default it adds 1 N*s/m) and a "
        "kp far above; and <contact_surface_layer>0 in the world's physics (by default the pad "
        "gives way 1 mm before it pushes)."};
  return {damping_text(pad),
          fmt::format(
              "The engine lets {:.6g} of a spring's force through to a contact of a tip of {:.3g} "
              "kg: stiffness and damping are written that much larger. Other engines show "
              "them as they are written.",
              pad.share, pad.tip_kg)};
}

std::vector<std::string> about_sdf(const SdfPad& pad) {
  std::vector<std::string> lines{
      pad.spring == SdfSpring::kJoint
          ? "Tactile pad for gz-sim with DART, its own engine: one sliding joint per tactel, SI."
          : "Tactile pad for Gazebo classic on ODE: contacts that give way, SI. The engines of "
            "gz-sim leave kp and kd out; there: '--to sdf'.",
      "Frame: centre of the undeformed surface, +z out of it, columns along +x, rows along +y.",
      "Each tactel has a contact sensor: the sum of its wrenches' forces along the tactel's normal "
      "is the force on it in N."};
  for (auto& line : about_numbers(pad)) lines.push_back(std::move(line));
  return lines;
}

std::vector<std::string> about_world(const SdfPad& pad, const PadWeight& weight) {
  auto lines = about_sdf(pad);
  lines.push_back(
      fmt::format("Here a weight of {:.6g} kg lies on all {} tactels. At rest {:.6g} N "
                  "press on each and the weight has sunk by {:.6g} m.",
                  weight.mass_kg, pad.places.size(), weight.force_N, weight.depth_m));
  return lines;
}

std::string model_text(const SensorModel& model, const SlotContents& contents, const SdfPad& pad,
                       std::span<const std::string> opening) {
  pugi::xml_document document;
  document.append_child(pugi::node_comment).set_value(block_comment(opening).c_str());
  add_sdf_model(model, contents, pad, add_sdf_root(document, "xmlns:tactelier", "urn:tactelier"));
  return document_text(document);
}

std::string world_text(const SensorModel& model, const SlotContents& contents, const SdfPad& pad,
                       const PadWeight& weight, std::span<const std::string> opening) {
  pugi::xml_document document;
  document.append_child(pugi::node_comment).set_value(block_comment(opening).c_str());
  auto world =
      add_sdf_world(pad, weight, add_sdf_root(document, "xmlns:tactelier", "urn:tactelier"));
  auto joint = add_sdf_model(model, contents, pad, world).append_child("joint");
  set_attribute(joint, "name", "to_world");
  set_attribute(joint, "type", "fixed");
  add_element(joint, "parent", "world");
  add_element(joint, "child", "pad");
  return document_text(document);
}

void add_own_losses(const SensorModel& model, const SlotContents& contents, const SdfPad& pad,
                    std::vector<Loss>& losses) {
  if (!model.stiffness.curve.empty())
    losses.push_back({"stiffness.curve",
                      "Gazebo has one stiffness per spring: k is written, hardening isn't", false});
  if (pad.spring == SdfSpring::kContact && contents.value("range"))
    losses.push_back({"stiffness.max_penetration",
                      "a contact of ODE never becomes hard: kept, without effect", false});
}

}  // namespace

Result<Exported> SdfExporter::write(const SensorModel& model) const {
  auto contents = fill_slots(model, sdf_slots(), kGazebo);
  if (!contents) return fail(contents.error());
  const auto pad = sdf_pad(model, *contents, spring_);
  add_readout_paths(model, *contents);
  add_unscaled_tactels(model, contents->left_out);
  auto losses = slot_losses(model, *contents, kGazebo);
  add_own_losses(model, *contents, pad, losses);
  const auto opening = opening_lines(model, about_sdf(pad), losses);
  Exported exported{model_text(model, *contents, pad, opening), losses, export_warnings(model)};
  for (auto& warning : step_damping_warnings(pad, pad.time_step_s, "Gazebo"))
    exported.warnings.push_back(std::move(warning));
  const CubicSpring spring{pad.stiffness_N_per_m, 0, 0};
  if (const auto weight = pad_weight(pad, spring, model, kSdfGravity_m_per_s2)) {
    const auto world = opening_lines(model, about_world(pad, *weight), losses);
    exported.sidecars.push_back(
        {pad.name + "_press.sdf", world_text(model, *contents, pad, *weight, world)});
  }
  return exported;
}

}  // namespace tactelier
