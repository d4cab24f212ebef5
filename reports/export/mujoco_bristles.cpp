#include "reports/export/mujoco_bristles.hpp"

#include <algorithm>
#include <utility>

#include "reports/export/export_text.hpp"
#include "reports/export/export_xml.hpp"

namespace tactelier {
namespace {

// Level: the force that bristles carry in steady sliding, without viscous friction. Along one axis
// it is that axis' share of it, so that both together are as strong as one in any direction.
// Bristles longer than the level's have let go.
constexpr const char* kLoop = R"(
import numpy as np

SIGMA_0 = {sigma0}  # N/m, one tactel: bristle stiffness
MU_S = {mu_s}  # sticking
MU_D = {mu_d}  # sliding
V_S = {v_s}  # m/s: Stribeck velocity
LEAST = 1e-9  # N: of bristles without load
TACTELS = [
{names}]


class Bristles:
    """Friction under the load there is: bristles(model, data) after each mujoco.mj_step."""

    def __init__(self, model, prefix=""):
        """prefix: of all names, where the pad was attached with one."""
        names = [[prefix + name + axis for axis in ("_x", "_y")] for name in TACTELS]
        joints = [[model.joint(name) for name in pair] for pair in names]
        motors = np.array([[model.actuator(name).id for name in pair] for pair in names])
        self.speeds = np.array([[joint.dofadr[0] for joint in pair] for pair in joints])
        self.places = np.array([[joint.qposadr[0] for joint in pair] for pair in joints])
        self.lengths = np.array(model.actuator_actadr)[motors]
        self.motors = motors
        self.loads = np.array([model.sensor(prefix + name + "_load").adr[0] for name in TACTELS])

    def __call__(self, model, data):
        load = data.sensordata[self.loads][:, None]
        speeds = np.abs(data.qvel[self.speeds])
        speed = np.hypot(speeds[:, :1], speeds[:, 1:])
        share = np.divide(speeds, speed, out=np.ones_like(speeds), where=speed > 0)
        level = load * (MU_D + (MU_S - MU_D) * np.exp(-((speed / V_S) ** 2)))
        for column in (3, 4):  # coulomb and static: equal, since level holds Stribeck's curve
            model.actuator_biasprm[self.motors, column] = np.maximum(level * share, LEAST)
        length = data.act[self.lengths]
        longest = MU_S * load / SIGMA_0
        now = np.hypot(length[:, :1], length[:, 1:])
        data.act[self.lengths] = length * np.divide(
            longest, now, out=np.ones_like(now), where=now > longest)
        data.qpos[self.places] = 0
)";

constexpr double kLeastLevel_N = 1e-9;  // of bristles without load

std::string name_lines(const TactelPad& pad) {
  std::string lines;
  for (const auto& place : pad.places) lines += fmt::format("    \"{}\",\n", place.name());
  return lines;
}

}  // namespace

std::string bristle_file_name(const TactelPad& pad) { return pad.name + "_lugre.xml"; }
std::string bristle_loop_name(const TactelPad& pad) { return pad.name + "_lugre.py"; }

std::string bristle_loop_text(const MujocoPad& pad, std::span<const std::string> opening) {
  const auto& law = pad.bristles->law;
  return fmt::format("\"\"\"LuGre friction of the tactels of {}.\"\"\"\n", bristle_file_name(pad)) +
         comment_lines("# ", opening) +
         fmt::format(kLoop, fmt::arg("sigma0", law[kLugreSigma0]),
                     fmt::arg("mu_s", law[kLugreStatic]), fmt::arg("mu_d", law[kLugreDynamic]),
                     fmt::arg("v_s", law[kLugreStribeck]), fmt::arg("names", name_lines(pad)));
}

// MuJoCo wants a motor constant: this one damps by 1e-12 N s/m.
void add_bristle_default(const MujocoBristles& bristles, const SlotContents& contents,
                         pugi::xml_node defaults) {
  const auto& law = bristles.law;
  auto bristle = defaults.append_child("default");
  set_attribute(bristle, "class", "bristle");
  for (const auto* name : {"friction", "mu_s", "v_s", "sigma0", "sigma1", "c_t"})
    add_slot_comment(contents, name, bristle);
  auto joint = bristle.append_child("joint");
  set_attribute(joint, "type", "slide");
  set_attribute(joint, "damping", fmt::format("{}", law[kLugreViscous]));
  set_attribute(joint, "armature", fmt::format("{:.9g}", bristles.inertia_kg));
  auto motor = bristle.append_child("dcmotor");
  set_attribute(motor, "input", "none");
  set_attribute(motor, "motorconst", "1e-6");
  set_attribute(motor, "resistance", "1");
  const auto level = [&](LugreIndex friction) {
    return std::max(law[friction] * bristles.load_N, kLeastLevel_N);
  };
  set_attribute(motor, "lugre",
                fmt::format("{} {} {:.9g} {:.9g} {}", law[kLugreSigma0], law[kLugreSigma1],
                            level(kLugreDynamic), level(kLugreStatic), law[kLugreStribeck]));
}

void add_bristle_joints(const std::string& name, pugi::xml_node body) {
  for (const auto& [end, axis] : {std::pair{"_x", "1 0 0"}, {"_y", "0 1 0"}}) {
    auto joint = body.append_child("joint");
    set_attribute(joint, "name", name + end);
    set_attribute(joint, "class", "bristle");
    set_attribute(joint, "axis", axis);
  }
}

void add_bristle_motors(const MujocoPad& pad, pugi::xml_node root) {
  add_comment(root,
              fmt::format("Friction of each tactel for a load of {:g} N on it; the loop in {} sets "
                          "it to the load there is.",
                          pad.bristles->load_N, bristle_loop_name(pad)));
  auto actuators = root.append_child("actuator");
  for (const auto& place : pad.places)
    for (const auto* end : {"_x", "_y"}) {
      auto motor = actuators.append_child("dcmotor");
      set_attribute(motor, "class", "bristle");
      set_attribute(motor, "name", place.name() + end);
      set_attribute(motor, "joint", place.name() + end);
    }
}

}  // namespace tactelier
