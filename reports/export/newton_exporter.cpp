#include "reports/export/newton_exporter.hpp"

#include <algorithm>

#include "reports/export/export_text.hpp"
#include "reports/export/pad_slots.hpp"
#include "reports/export/usd_pad.hpp"

namespace tactelier {
namespace {

constexpr std::string_view kNewton = "Newton";
constexpr double kOther_N_per_m3 = 1e10;  // Newton's hydroelastic stiffness of a shape without one

constexpr std::array kNewtonSlots{
    kStiffnessSlot,
    kDampingSlot,
    Slot{"mu_static", "friction.mu_s", "static friction, which Newton's solvers leave out",
         Bound::kNotNegative},
    Slot{"friction", "friction.mu_d", "sliding friction", Bound::kNotNegative},
    kThicknessSlot,
    kModulusSlot,
    kFoundationSlot,
};

std::vector<std::string> about_newton() {
  return {
      "Tactile pad for Newton (newton-physics 1.5 or later), SI: ModelBuilder.add_usd().",
      "Frame: centre of the undeformed surface, +z out of it, columns along +x, rows along +y.",
      "Colliders without a body: reference the pad below the link that carries it; alone it stands "
      "still."};
}

std::vector<std::string> about_spheres(const TactelPad& pad) {
  auto lines = about_newton();
  lines.insert(
      lines.begin() + 1,
      {"A sphere per tactel, named tTACTEL_aARRAY_rROW_cCOLUMN, row by row, array after array: "
       "SensorContact(sensing_shapes=...) gives the force on each; along its normal it is the "
       "tactel's.",
       "What touches the pad takes part: Newton takes the mean of both shapes' stiffness, damping "
       "and friction. Bind it to this file's material.",
       fmt::format("The stiffness is {:.9g} N/m in the solver MuJoCo with "
                   "use_mujoco_contacts=False, which SensorContact can read, and in SemiImplicit, "
                   "Featherstone and VBD, which it can't; XPBD leaves stiffness out.",
                   pad.stiffness_N_per_m)});
  return lines;
}

std::vector<std::string> about_hydroelastic() {
  auto lines = about_newton();
  lines.insert(
      lines.begin() + 1,
      {"One hydroelastic box per array: pressure is hydroelasticStiffness * depth. The force on a "
       "tactel is that of the contact points over its cell.",
       fmt::format("What touches the pad must be hydroelastic, too; its stiffness is in series "
                   "({:g} N/m^3 where nothing is said). Signed distances need CUDA.",
                   kOther_N_per_m3)});
  return lines;
}

UsdMaterial newton_material(const TactelPad& pad, const SlotContents& contents) {
  UsdMaterial material{{"NewtonMaterialAPI"}, {}};
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) material.attributes.push_back(usd_number("float", name, *value));
  };
  add("newton:contactStiffness", pad.stiffness_N_per_m);
  add("newton:contactDamping", pad.damping_N_s_per_m);
  add("physics:staticFriction", contents.value("mu_static"));
  add("physics:dynamicFriction", pad.friction);
  return material;
}

/// The layer's own pressure by depth, wherever the box ends: modulus over layer.
std::vector<std::string> box_attributes(const LayerBox& box, const SensorArray& array) {
  return {"float newton:contactMargin = 0", "float newton:contactGap = 0",
          "bool newton:hydroelasticEnabled = true",
          usd_number("float", "newton:hydroelasticStiffness", box.modulus_Pa * 2 / box.size_m[2]),
          usd_number("uniform float", "newton:sdfTargetVoxelSize",
                     std::min(array.pitch_x_m, array.pitch_y_m) / 4)};
}

std::string boxes_text(const SensorModel& model, const TactelPad& pad, const LayerBoxes& layer,
                       const UsdMaterial& material, std::vector<std::string> opening) {
  std::vector<std::vector<std::string>> attributes;
  for (std::size_t i = 0; i < layer.boxes.size(); ++i)
    attributes.push_back(box_attributes(layer.boxes[i], model.sensor.arrays[i]));
  return usd_text(opening,
                  usd_boxes(pad, layer.boxes, material, "NewtonSDFCollisionAPI", attributes));
}

void add_newton_losses(const SensorModel& model, const LayerBoxes& layer,
                       std::vector<Loss>& losses) {
  if (!model.stiffness.curve.empty())
    losses.push_back({"stiffness.curve",
                      "Newton has one stiffness per contact: k is written, hardening isn't",
                      false});
  if (!layer.none.empty())
    losses.push_back(
        {"hydroelastic.modulus", "no hydroelastic pad beside it: " + layer.none, false});
  add_unscaled_tactels(model, losses);
}

std::vector<std::string> newton_opening(const SensorModel& model, const SlotContents& contents,
                                        const std::vector<std::string>& about,
                                        std::span<const Loss> losses) {
  auto lines = opening_lines(model, about, losses);
  for (auto& line : slot_value_lines(contents)) lines.push_back(std::move(line));
  if (!contents.value("friction"))
    lines.emplace_back("dynamicFriction: not known and left out, so that Newton's own acts");
  return lines;
}

}  // namespace

Result<Exported> NewtonExporter::write(const SensorModel& model) const {
  auto contents = fill_slots(model, kNewtonSlots, kNewton);
  if (!contents) return fail(contents.error());
  add_readout_paths(model, *contents);
  const auto pad = tactel_pad(model, *contents);
  const auto layer = layer_boxes(model.sensor, *contents);
  auto losses = slot_losses(model, *contents, kNewton);
  add_newton_losses(model, layer, losses);
  const auto material = newton_material(pad, *contents);
  Exported exported{usd_text(newton_opening(model, *contents, about_spheres(pad), losses),
                             usd_pad(pad, material)),
                    losses, export_warnings(model)};
  if (!layer.boxes.empty())
    exported.sidecars.push_back(
        {pad.name + "_hydroelastic.usda",
         boxes_text(model, pad, layer, material,
                    newton_opening(model, *contents, about_hydroelastic(), losses))});
  return exported;
}

}  // namespace tactelier
