#include "reports/export/isaac_exporter.hpp"

#include <algorithm>

#include "reports/export/export_text.hpp"
#include "reports/export/flat_arrays.hpp"
#include "reports/export/pad_slots.hpp"
#include "reports/export/usd_pad.hpp"

namespace tactelier {
namespace {

constexpr std::string_view kPhysx = "PhysX";
constexpr double kSliding_m_per_s = 1e-3;  // from which TacSL's shear is friction alone

constexpr std::array kIsaacSlots{
    kStiffnessSlot,
    kDampingSlot,
    Slot{"mu_static", "friction.mu_s", "static friction", Bound::kNotNegative},
    Slot{"friction", "friction.mu_d", "sliding friction", Bound::kNotNegative},
};

/// TacSL's shear, min(this * speed, friction * force), reaches sliding friction at 1 mm/s under
/// half of the range's force.
std::optional<double> tangential_N_s_per_m(const SensorModel& model, const TactelPad& pad) {
  if (!pad.friction || !model.validity.force_N) return std::nullopt;
  return *pad.friction * (*model.validity.force_N)[1] / 2 / kSliding_m_per_s;
}

/// "--normal_contact_stiffness 58.5 ...": of TacSL's demo (scripts/demos/sensors/tacsl_sensor.py).
std::string demo_arguments(const SensorModel& model, const TactelPad& pad) {
  auto text = fmt::format(
      "--use_tactile_ff --normal_contact_stiffness {0:.9g} --tactile_compliance_stiffness {0:.9g} "
      "--tactile_compliant_damping {1:.9g}",
      pad.stiffness_N_per_m, pad.damping_N_s_per_m);
  if (const auto tangential = tangential_N_s_per_m(model, pad))
    text += fmt::format(" --tangential_stiffness {:.9g}", *tangential);
  if (pad.friction) text += fmt::format(" --friction_coefficient {:.9g}", *pad.friction);
  return text;
}

std::vector<std::string> about_isaac(const TactelPad& pad) {
  return {
      "Tactile pad for Isaac Sim and Isaac Lab (PhysX), SI.",
      "A sphere per tactel, named tTACTEL_aARRAY_rROW_cCOLUMN, row by row, array after array: the "
      "contact report's normal impulses on a collider, over the step, are the force on its tactel "
      "in N.",
      "Frame: centre of the undeformed surface, +z out of it, columns along +x, rows along +y.",
      "Colliders without a body: reference the pad below the link that carries it; alone it stands "
      "still.",
      fmt::format(
          "PhysX's spring is implicit and adds k dt = {:.6g} N*s/m at a step of 1 ms to the "
          "damping (with the solver TGS by its position iterations less), which is not "
          "taken off here.",
          1e-3 * pad.stiffness_N_per_m),
      "What touches the pad takes part: give it the pad's friction, and no compliance of its own.",
      fmt::format("TacSL: {}_tacsl.py", pad.name)};
}

UsdMaterial physx_material(const TactelPad& pad, const SlotContents& contents) {
  UsdMaterial material{{"PhysxMaterialAPI"}, {}};
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) material.attributes.push_back(usd_number("float", name, *value));
  };
  add("physxMaterial:compliantContactStiffness", pad.stiffness_N_per_m);
  add("physxMaterial:compliantContactDamping", pad.damping_N_s_per_m);
  material.attributes.emplace_back("bool physxMaterial:compliantContactAccelerationSpring = false");
  add("physics:staticFriction", contents.value("mu_static"));
  add("physics:dynamicFriction", pad.friction);
  return material;
}

/// A keyword's line; an unknown number is left to TacSL's own.
std::string keyword(const char* name, const std::optional<double>& value) {
  if (!value) return fmt::format("        # {}: not known, TacSL's own acts\n", name);
  return fmt::format("        {}={:.9g},\n", name, *value);
}

std::string array_text(const SensorModel& model, std::size_t index, const TactelPad& pad) {
  const auto& array = model.sensor.arrays[index];
  if (!is_flat_grid(array)) return fmt::format("    # array {}: not a flat grid\n", index);
  return fmt::format(
             "    dict(  # array {}: rows along +y, columns along +x\n"
             "        tactile_array_size=({}, {}),\n        tactile_margin={:.9g},\n",
             index, array.rows, array.columns, std::min(array.pitch_x_m, array.pitch_y_m) / 2) +
         keyword("normal_contact_stiffness", pad.stiffness_N_per_m) +
         keyword("tangential_stiffness", tangential_N_s_per_m(model, pad)) +
         keyword("friction_coefficient", pad.friction) + "    ),\n";
}

std::string tacsl_text(const SensorModel& model, const TactelPad& pad) {
  std::vector<std::string> lines{
      "TacSL's force field for Isaac Lab: VisuoTactileSensorCfg(**TACSL[0], prim_path=..., "
      "render_cfg=...,",
      "contact_object_prim_path_expr=...). A tactel's force is normal_contact_stiffness * depth; "
      "shear is",
      "min(tangential_stiffness * speed, friction_coefficient * force): that stiffness is N*s/m, "
      "so "
      "large",
      "that under half of the range's force shear is friction alone from 1 mm/s on.",
      "The elastomer's mesh must be as large as the array: rows * pitch by columns * pitch.",
      "TacSL's demo with these numbers:",
      "  isaaclab.sh -p scripts/demos/sensors/tacsl_sensor.py " + demo_arguments(model, pad)};
  for (auto& line : header_lines(model)) lines.push_back(std::move(line));
  auto text = comment_lines("# ", lines) + "\nTACSL = [\n";
  for (std::size_t i = 0; i < model.sensor.arrays.size(); ++i) text += array_text(model, i, pad);
  return text + "]\n";
}

void add_isaac_losses(const SensorModel& model, std::vector<Loss>& losses) {
  if (!model.stiffness.curve.empty())
    losses.push_back({"stiffness.curve",
                      "PhysX has one stiffness per contact: k is written, hardening isn't", false});
  for (std::size_t i = 0; i < model.sensor.arrays.size(); ++i) {
    const auto& array = model.sensor.arrays[i];
    if (!is_flat_grid(array))
      losses.push_back({fmt::format("sensor.arrays[{}]", i),
                        "TacSL lays a grid of its own: no entry for an array that is not flat",
                        false});
    else if (array.pitch_x_m != array.pitch_y_m)
      losses.push_back(
          {fmt::format("sensor.arrays[{}].pitch", i),
           "TacSL has one margin for both sides: its points are right along the shorter pitch",
           false});
  }
  add_unscaled_tactels(model, losses);
}

}  // namespace

Result<Exported> IsaacExporter::write(const SensorModel& model) const {
  auto contents = fill_slots(model, kIsaacSlots, kPhysx);
  if (!contents) return fail(contents.error());
  add_readout_paths(model, *contents);
  const auto pad = tactel_pad(model, *contents);
  auto losses = slot_losses(model, *contents, kPhysx);
  add_isaac_losses(model, losses);
  auto opening = opening_lines(model, about_isaac(pad), losses);
  for (auto& line : slot_value_lines(*contents)) opening.push_back(std::move(line));
  if (!pad.friction)
    opening.emplace_back("dynamicFriction: not known and left out, so that PhysX's own acts");
  Exported exported{usd_text(opening, usd_pad(pad, physx_material(pad, *contents))), losses,
                    export_warnings(model)};
  exported.sidecars.push_back({pad.name + "_tacsl.py", tacsl_text(model, pad)});
  return exported;
}

}  // namespace tactelier
