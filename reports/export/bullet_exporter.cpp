#include "reports/export/bullet_exporter.hpp"

#include <algorithm>
#include <array>

#include "reports/export/export_text.hpp"
#include "reports/export/export_xml.hpp"
#include "reports/export/pad_slots.hpp"
#include "reports/export/tactel_pad.hpp"
#include "reports/export/urdf_pad.hpp"

namespace tactelier {
namespace {

constexpr std::string_view kBullet = "Bullet";

constexpr std::array kBulletSlots{
    kStiffnessSlot,
    kDampingSlot,
    Slot{"lateral_friction", "friction.mu_d", "sliding friction, the one coefficient Bullet has",
         Bound::kNotNegative},
};

/// PyBullet's own step first.
constexpr std::array kBulletSteps_s{1.0 / 240, 1e-3, 5e-4, 2e-4, 1e-4};

struct BulletPad : TactelPad {
  double time_step_s = 0;
  double added_N_s_per_m() const { return stiffness_N_per_m * time_step_s; }
  double written_N_s_per_m() const { return std::max(0.0, damping_N_s_per_m - added_N_s_per_m()); }
};

BulletPad bullet_pad(const SensorModel& model, const SlotContents& contents) {
  BulletPad pad{tactel_pad(model, contents), 0};
  pad.friction = contents.value("lateral_friction");
  pad.time_step_s = bullet_step_s(pad);
  return pad;
}

std::vector<std::string> about_bullet(const BulletPad& pad) {
  return {"Tactile pad for Bullet and PyBullet: a link per tactel whose contact gives way, SI.",
          "Frame: centre of the undeformed surface, +z out of it, columns along +x, rows along +y.",
          "Links are named tTACTEL_aARRAY_rROW_cCOLUMN: row by row, array after array. The normal "
          "forces of a link's contacts (getContactPoints, field 9) are the force on it in N.",
          fmt::format("For setTimeStep({:.9g}): Bullet adds k dt = {:.6g} N*s/m to the damping, "
                      "which is taken off.",
                      pad.time_step_s, pad.added_N_s_per_m()),
          "What touches the pad takes part: changeDynamics(body, -1, contactStiffness=1e18, "
          "contactDamping=0, lateralFriction=1), or it adds 0.1 N*s/m and halves the friction."};
}

void add_value(pugi::xml_node node, const char* name, const std::string& value) {
  set_attribute(node.append_child(name), "value", value);
}

void add_contact(const BulletPad& pad, pugi::xml_node link) {
  auto contact = link.append_child("contact");
  add_value(contact, "stiffness", fmt::format("{}", pad.stiffness_N_per_m));
  add_value(contact, "damping", fmt::format("{:.9g}", pad.written_N_s_per_m()));
  if (pad.friction) add_value(contact, "lateral_friction", fmt::format("{}", *pad.friction));
  add_value(contact, "rolling_friction", "0");
  add_value(contact, "spinning_friction", "0");
}

std::string urdf_text(const BulletPad& pad, const SlotContents& contents,
                      std::span<const std::string> opening) {
  pugi::xml_document document;
  document.append_child(pugi::node_comment).set_value(block_comment(opening).c_str());
  auto robot = document.append_child("robot");
  set_attribute(robot, "name", pad.name);
  add_slot_values(contents, robot);
  if (!pad.friction)
    add_comment(robot, "lateral_friction: not known and left out, so that Bullet's 0.5 acts");
  add_comment(robot, fmt::format("The pad's mass is not known: {:g} kg and {:g} kg a tactel stand "
                                 "for it.",
                                 kUrdfPad_kg, kUrdfTip_kg));
  add_urdf_links(pad, robot, [&](pugi::xml_node link) { add_contact(pad, link); });
  return document_text(document);
}

}  // namespace

double bullet_step_s(const TactelPad& pad) { return longest_implicit_step_s(pad, kBulletSteps_s); }

Result<Exported> BulletExporter::write(const SensorModel& model) const {
  const auto contents = fill_slots(model, kBulletSlots, kBullet);
  if (!contents) return fail(contents.error());
  const auto pad = bullet_pad(model, *contents);
  auto losses = slot_losses(model, *contents, kBullet);
  if (!model.stiffness.curve.empty())
    losses.push_back({"stiffness.curve",
                      "Bullet has one stiffness per contact: k is written, hardening isn't",
                      false});
  const auto opening = opening_lines(model, about_bullet(pad), losses);
  Exported exported{urdf_text(pad, *contents, opening), losses, export_warnings(model)};
  for (auto& warning : step_damping_warnings(pad, pad.time_step_s, kBullet))
    exported.warnings.push_back(std::move(warning));
  return exported;
}

}  // namespace tactelier
