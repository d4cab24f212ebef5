#include "reports/export/sdf_model.hpp"

#include <cmath>

#include "reports/export/export_xml.hpp"
#include "reports/export/sdf_elements.hpp"

namespace tactelier {
namespace {

constexpr double kBase_kg = 0.1;
constexpr double kRise_m = 1e-4;   // an unloaded tactel may swing past its rest
constexpr double kPlate_m = 0.05;  // the weight's thickness: a tip never comes out of its top

std::string tip_of(const TactelPlace& place) { return place.name() + "_tip"; }

void add_friction(const SdfPad& pad, pugi::xml_node surface) {
  if (!pad.friction) return;
  auto ode = surface.append_child("friction").append_child("ode");
  add_element(ode, "mu", fmt::format("{}", *pad.friction));
  add_element(ode, "mu2", fmt::format("{}", *pad.friction));
}

void add_contact_spring(const SdfPad& pad, pugi::xml_node surface) {
  auto ode = surface.append_child("contact").append_child("ode");
  add_element(ode, "kp", fmt::format("{}", pad.stiffness_N_per_m));
  add_element(ode, "kd", pad.written_damping_N_s_per_m());
  add_element(ode, "max_vel", pad.correcting_speed_m_per_s());
  add_element(ode, "min_depth", "0");
}

void add_tip(const SdfPad& pad, const TactelPlace& place, const std::string& pose,
             pugi::xml_node link) {
  auto collision = link.append_child("collision");
  set_attribute(collision, "name", tip_of(place));
  add_sdf_sphere(collision, place, pose);
  add_element(collision, "max_contacts", "1");
  auto surface = collision.append_child("surface");
  add_friction(pad, surface);
  if (pad.spring == SdfSpring::kContact) add_contact_spring(pad, surface);
  auto visual = link.append_child("visual");
  set_attribute(visual, "name", tip_of(place) + "_seen");
  add_sdf_sphere(visual, place, pose);
}

void add_kept(pugi::xml_node node, const char* name, const std::optional<double>& value) {
  if (value) add_element(node, fmt::format("tactelier:{}", name).c_str(), *value);
}

/// What becomes of the force: Gazebo keeps it and does nothing with it.
void add_readout(const TactelPlace& place, const PadReadout& readout, pugi::xml_node sensor) {
  auto kept = sensor.append_child("tactelier:tactel");
  set_attribute(kept, "index", fmt::format("{}", place.tactel));
  set_attribute(kept, "array", fmt::format("{}", place.array));
  set_attribute(kept, "row", fmt::format("{}", place.row));
  set_attribute(kept, "column", fmt::format("{}", place.column));
  add_element(kept, "tactelier:reads", readout.reads ? "1" : "0");
  add_kept(kept, "gain_N_per_count", readout.gain_N_per_count);
  add_kept(kept, "offset_counts", readout.offset_counts);
  add_kept(kept, "threshold_N", readout.threshold_N);
  add_kept(kept, "saturation_counts", readout.saturation_counts);
  add_kept(kept, "saturation_N", readout.saturation_N());
  add_kept(kept, "noise_N", readout.noise_N());
}

void add_sensor(const SdfPad& pad, std::size_t i, pugi::xml_node link) {
  const auto& place = pad.places[i];
  auto sensor = link.append_child("sensor");
  set_attribute(sensor, "name", place.name() + "_sensor");
  set_attribute(sensor, "type", "contact");
  add_element(sensor, "always_on", "true");
  if (pad.rate_hz) add_element(sensor, "update_rate", *pad.rate_hz);
  auto contact = sensor.append_child("contact");
  add_element(contact, "collision", tip_of(place));
  add_element(contact, "topic", fmt::format("{}/{}", pad.name, place.name()));
  add_readout(place, pad.readouts[i], sensor);
}

std::string below(const TactelPlace& place) {
  return fmt::format("0 0 {:.9g} 0 0 0", -place.half_width_m);
}

void add_joint(const SdfPad& pad, const TactelPlace& place, pugi::xml_node model) {
  auto joint = model.append_child("joint");
  set_attribute(joint, "name", place.name() + "_spring");
  set_attribute(joint, "type", "prismatic");
  add_element(joint, "parent", "pad");
  add_element(joint, "child", place.name());
  auto axis = joint.append_child("axis");
  add_element(axis, "xyz", "0 0 1");
  auto dynamics = axis.append_child("dynamics");
  add_element(dynamics, "damping", pad.written_damping_N_s_per_m());
  add_element(dynamics, "spring_reference", "0");
  add_element(dynamics, "spring_stiffness", pad.written_stiffness_N_per_m());
  auto limit = axis.append_child("limit");
  add_element(limit, "lower", -pad.deepest_m());
  add_element(limit, "upper", kRise_m);
}

void add_tactel_link(const SdfPad& pad, std::size_t i, pugi::xml_node model) {
  const auto& place = pad.places[i];
  auto link = model.append_child("link");
  set_attribute(link, "name", place.name());
  add_element(link, "pose", sdf_pose_text(place.position_m, place.rpy_rad));
  add_element(link, "gravity", "false");
  add_sdf_inertial(link, pad.tip_kg, place.half_width_m);
  add_tip(pad, place, below(place), link);
  add_sensor(pad, i, link);
  add_joint(pad, place, model);
}

/// What the whole pad has, in our name space.
void add_model_kept(const SensorModel& sensor_model, const SlotContents& contents,
                    pugi::xml_node model) {
  add_comment(model, "Gazebo keeps what is named tactelier: and does nothing with it.");
  add_element(model, "tactelier:order",
              "row by row, array after array; columns go along +x, rows along +y; names are "
              "tTACTEL_aARRAY_rROW_cCOLUMN");
  std::string sizes;
  for (const auto& array : sensor_model.sensor.arrays)
    sizes += fmt::format("{}{} {}", sizes.empty() ? "" : " ", array.rows, array.columns);
  add_element(model, "tactelier:rows_columns", sizes);
  add_element(model, "tactelier:falling", sensor_model.sensor.falling ? "1" : "0");
  for (const auto* name : {"thickness_m", "range", "latency_s", "psf_sigma_m", "psf_kernel_s"})
    add_kept(model, name, contents.value(name));
}

void add_plugin(pugi::xml_node world, const char* file, const char* name) {
  auto plugin = world.append_child("plugin");
  set_attribute(plugin, "filename", file);
  set_attribute(plugin, "name", name);
}

void add_physics(const SdfPad& pad, pugi::xml_node world) {
  auto physics = world.append_child("physics");
  set_attribute(physics, "name", "step");
  set_attribute(physics, "type", pad.spring == SdfSpring::kContact ? "ode" : "dart");
  add_element(physics, "max_step_size", pad.time_step_s);
  add_element(physics, "real_time_factor", "1");
  add_element(physics, "real_time_update_rate", 1 / pad.time_step_s);
  if (pad.spring == SdfSpring::kJoint) {
    add_plugin(world, "gz-sim-physics-system", "gz::sim::systems::Physics");
    add_plugin(world, "gz-sim-contact-system", "gz::sim::systems::Contact");
    add_plugin(world, "gz-sim-user-commands-system", "gz::sim::systems::UserCommands");
    add_plugin(world, "gz-sim-scene-broadcaster-system", "gz::sim::systems::SceneBroadcaster");
    return;
  }
  auto ode = physics.append_child("ode");
  auto solver = ode.append_child("solver");
  add_element(solver, "type", "world");
  add_element(solver, "iters", "50");
  add_element(solver, "sor", "1.3");
  auto constraints = ode.append_child("constraints");
  add_element(constraints, "cfm", "0");
  add_element(constraints, "erp", "0.2");
  add_element(constraints, "contact_max_correcting_vel", pad.correcting_speed_m_per_s());
  add_element(constraints, "contact_surface_layer", "0");
}

void add_weight_slide(pugi::xml_node model) {
  auto joint = model.append_child("joint");
  set_attribute(joint, "name", "slide");
  set_attribute(joint, "type", "prismatic");
  add_element(joint, "parent", "world");
  add_element(joint, "child", "plate");
  auto axis = joint.append_child("axis");
  add_element(axis, "xyz", "0 0 1");
  auto limit = axis.append_child("limit");
  add_element(limit, "lower", "-1");
  add_element(limit, "upper", "1");
}

/// A plate that adds no damping of its own.
void add_weight(const SdfPad& pad, const PadWeight& weight, pugi::xml_node world) {
  auto model = world.append_child("model");
  set_attribute(model, "name", "weight");
  auto link = model.append_child("link");
  set_attribute(link, "name", "plate");
  add_element(link, "pose",
              fmt::format("0 0 {:.9g} 0 0 0", pad.places[0].position_m[2] + kPlate_m / 2));
  const double half_edge_m = plate_half_edge_m(pad);
  add_sdf_inertial(link, weight.mass_kg, half_edge_m);
  for (const auto* kind : {"collision", "visual"}) {
    auto node = link.append_child(kind);
    set_attribute(node, "name", std::string("plate_") + kind);
    add_element(node.append_child("geometry").append_child("box"), "size",
                fmt::format("{0:.9g} {0:.9g} {1:.9g}", 2 * half_edge_m, kPlate_m));
  }
  auto ode =
      link.child("collision").append_child("surface").append_child("contact").append_child("ode");
  add_element(ode, "kd", "0");
  add_weight_slide(model);
}

}  // namespace

pugi::xml_node add_sdf_model(const SensorModel& model, const SlotContents& contents,
                             const SdfPad& pad, pugi::xml_node parent) {
  auto node = parent.append_child("model");
  set_attribute(node, "name", pad.name);
  add_slot_values(contents, node);
  if (!pad.friction)
    add_comment(node, "friction: not known and left out, so that Gazebo's default of 1 acts");
  add_model_kept(model, contents, node);
  add_comment(node, fmt::format("The pad's mass is not known: {:g} kg stands for it.", kBase_kg));
  auto base = node.append_child("link");
  set_attribute(base, "name", "pad");
  add_sdf_inertial(base, kBase_kg, plate_half_edge_m(pad));
  for (std::size_t i = 0; i < pad.places.size(); ++i) {
    if (pad.spring == SdfSpring::kJoint) {
      add_tactel_link(pad, i, node);
      continue;
    }
    add_tip(pad, pad.places[i], sdf_tip_pose(pad.places[i]), base);
    add_sensor(pad, i, base);
  }
  return node;
}

pugi::xml_node add_sdf_world(const SdfPad& pad, const PadWeight& weight, pugi::xml_node root) {
  auto world = root.append_child("world");
  set_attribute(world, "name", "press");
  add_element(world, "gravity", fmt::format("0 0 {}", -kSdfGravity_m_per_s2));
  add_physics(pad, world);
  auto light = world.append_child("light");
  set_attribute(light, "name", "above");
  set_attribute(light, "type", "directional");
  add_element(light, "direction", "0.2 0.2 -1");
  add_weight(pad, weight, world);
  return world;
}

}  // namespace tactelier
