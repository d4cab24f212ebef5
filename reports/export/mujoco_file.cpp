#include "reports/export/mujoco_file.hpp"

#include <algorithm>
#include <cmath>

#include "reports/export/export_xml.hpp"
#include "reports/export/mujoco_bristles.hpp"

namespace tactelier {
namespace {

constexpr double kTipMass_kg = 1e-6;   // hangs on its joint's inertia; its weight is no load
constexpr double kRise_m = 1e-4;       // an unloaded tactel may swing past its rest
constexpr double kImpedance = 0.9999;  // the largest: tips as hard as the solver makes them
// Contacts at rest are 1e-4 of a depth deep: what the solver's own 1e-8 leaves of a force, where
// heavy things weigh on tips, throws them off.
constexpr const char* kSolverTolerance = "1e-14";
constexpr double kSilent_N = 1e-12;                 // cutoff of a sensor that shows nothing
constexpr double kSticking = 10;                    // tips on bristles don't slide, their joints do
constexpr double kTwist_m = 0.005, kRoll_m = 1e-4;  // MuJoCo's defaults
constexpr double kPlate_m = 0.005;                  // half of the weight's thickness
constexpr const char* kUserColumns =
    "reads (1 or 0), gain [N/count], offset [counts], threshold [N], saturation [counts], noise "
    "[counts]; -1: not known";

// A touch sensor counts contacts whose ray out of the tip meets its site. The site is a ball so far
// above the surface, in half widths, and so wide that rays of 60 degrees from the middle pass it: a
// rim at a tip's flank, whose push along its normal is many times the spring's, is no reading.
constexpr double kSiteAbove = 10;
constexpr double kSteepest = 0.866;  // sine of 60 degrees
constexpr const char* kHiddenGroup = "4";

/// A step and twice it are the fastest that MuJoCo lets a constraint be.
std::string contact_speed(const MujocoPad& pad) {
  return fmt::format("{:g} 1", 2 * pad.time_step_s);
}

// After the solver of contacts MuJoCo's Euler slows what has dampers, tips, but not what rests on
// them: these part, and are never at rest. Neither a step of Runge-Kutta nor Euler without that
// does so; the damping needs no help, with this inertia.
void add_integrator(const MujocoPad& pad, pugi::xml_node option) {
  if (pad.hardening || pad.bristles) {
    set_attribute(option.append_child("flag"), "eulerdamp", "disable");
    return;
  }
  set_attribute(option, "integrator", "RK4");
  add_comment(option.parent(),
              "RK4, or what rests on the pad trembles. MuJoCo 3 is four times as fast, and as "
              "exact, with integrator=\"Euler\" and <flag eulerdamp=\"disable\"/> instead.");
}

void add_option(const MujocoPad& pad, pugi::xml_node root) {
  auto compiler = root.append_child("compiler");
  set_attribute(compiler, "autolimits", "true");
  set_attribute(compiler, "angle", "radian");
  add_comment(root,
              fmt::format("Another timestep dt needs an armature of at least 4 k dt^2 and 2 "
                          "c dt in each joint ({:g} and {:g} kg here), or readings oscillate{}.",
                          4 * pad.stiffest_N_per_m() * pad.time_step_s * pad.time_step_s,
                          2 * pad.damping_N_s_per_m * pad.time_step_s,
                          pad.hardening ? "; k is the spring's slope where it ends" : ""));
  auto option = root.append_child("option");
  set_attribute(option, "timestep", fmt::format("{:g}", pad.time_step_s));
  set_attribute(option, "cone", "elliptic");
  set_attribute(option, "impratio", pad.bristles ? "100" : "10");
  set_attribute(option, "tolerance", kSolverTolerance);
  add_integrator(pad, option);
  set_attribute(root.append_child("size"), "nuser_sensor", "6");
}

void add_text(pugi::xml_node custom, const char* name, const std::string& data) {
  auto text = custom.append_child("text");
  set_attribute(text, "name", name);
  set_attribute(text, "data", data);
}

void add_numeric(pugi::xml_node custom, const std::string& name, const std::string& data) {
  auto numeric = custom.append_child("numeric");
  set_attribute(numeric, "name", name);
  set_attribute(numeric, "data", data);
}

std::vector<double> array_sizes(const SensorDescription& sensor) {
  std::vector<double> sizes;
  for (const auto& array : sensor.arrays) {
    sizes.push_back(array.rows);
    sizes.push_back(array.columns);
  }
  return sizes;
}

/// Numbers of the slots that MuJoCo keeps and does nothing with.
void add_kept(const SlotContents& contents, pugi::xml_node custom) {
  for (const auto* name : {"thickness_m", "rate_hz", "latency_s", "psf_sigma_m", "psf_kernel_s"})
    if (const auto value = contents.value(name))
      add_numeric(custom, fmt::format("tactelier_{}", name), fmt::format("{}", *value));
}

void add_custom(const SensorModel& model, const SlotContents& contents, pugi::xml_node root) {
  add_comment(root,
              "MuJoCo keeps these and the sensors' user numbers, and does nothing with them.");
  auto custom = root.append_child("custom");
  add_text(custom, "tactelier_order",
           "sensors in the order of the tactels: row by row, array after array; columns go along "
           "+x, rows along +y; names are tTACTEL_aARRAY_rROW_cCOLUMN");
  add_numeric(custom, "tactelier_rows_columns", numbers_text(array_sizes(model.sensor)));
  add_text(custom, "tactelier_user", kUserColumns);
  add_numeric(custom, "tactelier_falling", model.sensor.falling ? "1" : "0");
  add_kept(contents, custom);
}

std::string stiffness_text(const MujocoPad& pad) {
  if (!pad.hardening) return fmt::format("{}", pad.stiffness_N_per_m);
  const auto spring = pad.spring();
  return fmt::format("{:.9g} {:.9g} {:.9g}", spring.k_N_per_m, 0 - spring.k2_N_per_m2,
                     spring.k3_N_per_m3);
}

void add_joint_default(const MujocoPad& pad, pugi::xml_node tactel) {
  auto joint = tactel.append_child("joint");
  set_attribute(joint, "type", "slide");
  set_attribute(joint, "axis", "0 0 1");
  set_attribute(joint, "stiffness", stiffness_text(pad));
  set_attribute(joint, "damping", fmt::format("{}", pad.damping_N_s_per_m));
  set_attribute(joint, "armature", fmt::format("{:.9g}", pad.inertia_kg));
  if (!pad.travel_m) return;
  set_attribute(joint, "range", fmt::format("{} {:g}", -*pad.travel_m, kRise_m));
  set_attribute(joint, "solreflimit", contact_speed(pad));
  set_attribute(joint, "solimplimit", fmt::format("{0:g} {0:g} 0.0001", kImpedance));
}

void add_tip_default(const MujocoPad& pad, pugi::xml_node tactel) {
  auto geom = tactel.append_child("geom");
  set_attribute(geom, "type", "sphere");
  set_attribute(geom, "mass", "0");
  set_attribute(geom, "priority", "1");
  set_attribute(geom, "condim", "3");
  if (pad.bristles)
    set_attribute(geom, "friction", fmt::format("{:g} {:g} {:g}", kSticking, kTwist_m, kRoll_m));
  else if (pad.friction)
    set_attribute(geom, "friction", fmt::format("{} {:g} {:g}", *pad.friction, kTwist_m, kRoll_m));
  set_attribute(geom, "solref", contact_speed(pad));
  set_attribute(geom, "solimp", fmt::format("{0:g} {0:g} 0.0001 0.5 2", kImpedance));
  set_attribute(geom, "contype", "1");
  set_attribute(geom, "conaffinity", "2");
  auto site = tactel.append_child("site");
  set_attribute(site, "type", "sphere");
  set_attribute(site, "group", kHiddenGroup);
}

/// The same spring under a ball as wide as a tactel, for what asks for it.
void add_wide_tip_default(pugi::xml_node tactel) {
  auto wide = tactel.append_child("default");
  set_attribute(wide, "class", "wide");
  auto geom = wide.append_child("geom");
  set_attribute(geom, "mass", fmt::format("{:g}", kTipMass_kg));
  set_attribute(geom, "contype", "4");
  set_attribute(geom, "conaffinity", "8");
}

void add_default(const MujocoPad& pad, const SlotContents& contents, pugi::xml_node root) {
  auto defaults = root.append_child("default");
  auto tactel = defaults.append_child("default");
  set_attribute(tactel, "class", "tactel");
  for (const auto* name : {"stiffness", "damping", "friction", "range"})
    add_slot_comment(contents, name, tactel);
  add_joint_default(pad, tactel);
  if (!pad.friction && !pad.bristles)
    add_comment(tactel, "friction: not known and left out, so that MuJoCo's default of 1 acts");
  add_comment(
      tactel,
      "Tips touch what has contype=\"2\" conaffinity=\"1\", wide ones what has "
      "contype=\"8\" conaffinity=\"4\", and none another. Their contact is nearly rigid: the "
      "joint is what gives.");
  add_tip_default(pad, tactel);
  add_wide_tip_default(tactel);
  if (pad.bristles) add_bristle_default(*pad.bristles, contents, defaults);
}

/// A ball whose top is the surface.
void add_tip(const std::string& name, double radius_m, pugi::xml_node body,
             const char* kind = nullptr) {
  auto geom = body.append_child("geom");
  set_attribute(geom, "name", name);
  if (kind != nullptr) set_attribute(geom, "class", kind);
  set_attribute(geom, "size", fmt::format("{:.9g}", radius_m));
  set_attribute(geom, "pos", fmt::format("0 0 {:.9g}", -radius_m));
}

void add_tactel(const TactelPlace& place, bool bristles, pugi::xml_node pad) {
  const auto name = place.name();
  auto body = pad.append_child("body");
  set_attribute(body, "name", name);
  set_attribute(body, "pos", numbers_text(place.position_m));
  if (place.normal[2] < 1) set_attribute(body, "quat", numbers_text(quaternion_to(place.normal)));
  set_attribute(body, "childclass", "tactel");
  if (bristles) add_bristle_joints(name, body);
  set_attribute(body.append_child("joint"), "name", name);
  add_tip(name, mujoco_tip_radius_m(place), body);
  add_tip(name + "_wide", place.half_width_m, body, "wide");
  auto site = body.append_child("site");
  const double above_m = kSiteAbove * place.half_width_m;
  set_attribute(site, "name", name);
  set_attribute(site, "size", fmt::format("{:.9g}", kSteepest * above_m));
  set_attribute(site, "pos", fmt::format("0 0 {:.9g}", above_m));
}

void add_worldbody(const MujocoPad& pad, pugi::xml_node root) {
  auto body = root.append_child("worldbody").append_child("body");
  set_attribute(body, "name", pad.name);
  for (const auto& place : pad.places) add_tactel(place, pad.bristles.has_value(), body);
}

std::string user_text(const PadReadout& readout) {
  std::string text = readout.reads ? "1" : "0";
  for (const auto& number : {readout.gain_N_per_count, readout.offset_counts, readout.threshold_N,
                             readout.saturation_counts, readout.noise_counts})
    text += fmt::format(" {}", number.value_or(-1));
  return text;
}

void add_touch(const TactelPlace& place, const PadReadout& readout, pugi::xml_node sensors) {
  auto touch = sensors.append_child("touch");
  set_attribute(touch, "name", place.name());
  set_attribute(touch, "site", place.name());
  const auto cutoff_N = readout.reads ? readout.saturation_N() : kSilent_N;
  if (cutoff_N) set_attribute(touch, "cutoff", fmt::format("{:.9g}", *cutoff_N));
  if (const auto noise_N = readout.noise_N())
    set_attribute(touch, "noise", fmt::format("{:.9g}", *noise_N));
  set_attribute(touch, "user", user_text(readout));
}

void add_sensors(const MujocoPad& pad, pugi::xml_node root) {
  add_comment(root,
              "Newtons on each tactel. cutoff: where it saturates; a tactel that shows nothing has "
              "one of 1e-12 N. noise: standard deviation in N, kept only.");
  auto sensors = root.append_child("sensor");
  for (std::size_t i = 0; i < pad.places.size(); ++i)
    add_touch(pad.places[i], pad.readouts[i], sensors);
  if (!pad.bristles) return;
  add_comment(sensors, "The same without cutoff: what the loop scales friction by.");
  for (const auto& place : pad.places) {
    auto load = sensors.append_child("touch");
    set_attribute(load, "name", place.name() + "_load");
    set_attribute(load, "site", place.name());
  }
}

/// Plate and slide that hold a weight on the pad, damped enough to come to rest at once.
void add_weight(const MujocoPad& pad, const PadWeight& weight, pugi::xml_node root) {
  auto body = root.child("worldbody").append_child("body");
  set_attribute(body, "name", "weight");
  set_attribute(body, "pos", fmt::format("0 0 {:.9g}", pad.places[0].position_m[2] + kPlate_m));
  auto joint = body.append_child("joint");
  set_attribute(joint, "name", "weight");
  set_attribute(joint, "type", "slide");
  set_attribute(joint, "axis", "0 0 1");
  const double all_N_per_m =
      pad.spring().tangent_N_per_m(weight.depth_m) * static_cast<double>(pad.places.size());
  set_attribute(joint, "damping",
                fmt::format("{:.6g}", 2 * std::sqrt(weight.mass_kg * all_N_per_m)));
  auto geom = body.append_child("geom");
  set_attribute(geom, "type", "box");
  set_attribute(geom, "size", fmt::format("{0:g} {0:g} {1:g}", plate_half_edge_m(pad), kPlate_m));
  set_attribute(geom, "mass", fmt::format("{:.9g}", weight.mass_kg));
  set_attribute(geom, "contype", "2");
  set_attribute(geom, "conaffinity", "1");
}

}  // namespace

std::string mjcf_text(const SensorModel& model, const SlotContents& contents, const MujocoPad& pad,
                      std::span<const std::string> opening,
                      const std::optional<PadWeight>& weight) {
  pugi::xml_document document;
  document.append_child(pugi::node_comment).set_value(block_comment(opening).c_str());
  auto root = document.append_child("mujoco");
  set_attribute(root, "model", pad.name);
  add_option(pad, root);
  add_custom(model, contents, root);
  add_default(pad, contents, root);
  add_worldbody(pad, root);
  if (pad.bristles) add_bristle_motors(pad, root);
  add_sensors(pad, root);
  if (weight) add_weight(pad, *weight, root);
  return document_text(document);
}

}  // namespace tactelier
