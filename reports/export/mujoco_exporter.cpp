#include "reports/export/mujoco_exporter.hpp"

#include <algorithm>
#include <array>

#include "libcalib/units.hpp"
#include "reports/export/export_text.hpp"
#include "reports/export/mujoco_bristles.hpp"
#include "reports/export/mujoco_file.hpp"

namespace tactelier {
namespace {

constexpr std::string_view kEngine = "MuJoCo";
constexpr double kGravity_m_per_s2 = 9.81;  // MuJoCo's default, which the file keeps

double widest_tip_m(const MujocoPad& pad) {
  double widest_m = 0;
  for (const auto& place : pad.places) widest_m = std::max(widest_m, mujoco_tip_radius_m(place));
  return widest_m;
}

std::vector<std::string> about_pad(const MujocoPad& pad) {
  return {fmt::format("Tactile pad for MuJoCo {} and later: one slide joint per tactel, all "
                      "numbers SI.",
                      pad.bristles    ? "3.12"
                      : pad.hardening ? "3.7"
                                      : "2.2.2"),
          "Frame: centre of the undeformed surface, +z out of it, columns along +x, rows along +y.",
          "sensordata[i] is the force on tactel i in N.",
          fmt::format(
              "Whatever presses the pad needs contype=\"2\" conaffinity=\"1\". Tactels feel it in "
              "their middles, by tips of {:.3g} mm: a rim is felt at most so far beside a middle.",
              m_to_mm(widest_tip_m(pad))),
          "What slides across tactels with sharp rims, or fits between their middles, needs "
          "contype=\"8\" conaffinity=\"4\" instead: it meets balls as wide as a tactel, which give "
          "way to rims and feel every shape as grown by their radius."};
}

std::vector<std::string> about_press(const MujocoPad& pad, const PadWeight& weight) {
  auto lines = about_pad(pad);
  lines.push_back(
      fmt::format("Here a weight of {:.6g} kg lies on all {} tactels. At rest each "
                  "reads {:.6g} N (less where cutoff is lower) and the weight has sunk "
                  "by {:.6g} m.",
                  weight.mass_kg, pad.places.size(), weight.force_N, weight.depth_m));
  return lines;
}

std::vector<std::string> about_bristles(const MujocoPad& pad) {
  auto lines = about_pad(pad);
  lines.push_back(
      "Friction is LuGre's, on two more joints per tactel, along the surface; tips stick "
      "to what touches them and move with it.");
  lines.push_back(
      fmt::format("After each step call {}: it scales friction by the load on each "
                  "tactel and puts the tips back on their places. Without it friction "
                  "stays that under {:g} N on a tactel, and tips wander off.",
                  bristle_loop_name(pad), pad.bristles->load_N));
  return lines;
}

std::vector<std::string> about_loop(const MujocoPad& pad) {
  return {fmt::format("import mujoco, {}", pad.name + "_lugre"),
          fmt::format("model = mujoco.MjModel.from_xml_path(\"{}\")", bristle_file_name(pad)),
          "data = mujoco.MjData(model)",
          fmt::format("bristles = {}_lugre.Bristles(model)", pad.name),
          "while True:",
          "    mujoco.mj_step(model, data)",
          "    bristles(model, data)"};
}

std::string cubic_words(const MujocoHardening& hardening) {
  const auto& [spring, worst_share] = hardening.fitted;
  return fmt::format(
      "written as the spring {:.6g} d + {:.6g} d^2 + {:.6g} d^3 N (d: depth in m), by least "
      "squares: nowhere off by more than {:.2g} % of the force at {:g} m, where the curve ends and "
      "the spring goes on",
      spring.k_N_per_m, spring.k2_N_per_m2, spring.k3_N_per_m3, std::max(1e-3, 100 * worst_share),
      hardening.end_m);
}

std::string curve_words(const MujocoPad& pad, MujocoForm form) {
  if (pad.hardening) return cubic_words(*pad.hardening);
  if (form == MujocoForm::kModern) return "k is written: the curve doesn't harden beyond its line";
  return "MuJoCo before 3.7 has one stiffness per joint: k is written, hardening isn't ('--to "
         "mujoco-3.7' writes it)";
}

constexpr std::array kBristleSlots{"mu_s", "v_s", "sigma0", "sigma1", "c_t"};

/// What a modern pad has a place for, but this one no use.
void add_unused_losses(const SlotContents& contents, const MujocoPad& pad, bool bristles,
                       std::vector<Loss>& losses) {
  const auto add = [&](const char* name, const char* why) {
    for (const auto& slot : contents.filled)
      if (slot.name == std::string_view(name)) losses.push_back({slot.path, why, false});
  };
  if (!pad.hardening) add("linear_to", "the model holds no hardening beyond it");
  if (bristles) return;
  for (const auto* name : kBristleSlots)
    add(name, "bristles need all six numbers of friction, and mu_d more than 0");
}

void add_bristle_files(const SensorModel& model, const SlotContents& contents, const MujocoPad& pad,
                       std::span<const Loss> losses, Exported& exported) {
  exported.sidecars.push_back(
      {bristle_file_name(pad),
       mjcf_text(model, contents, pad, opening_lines(model, about_bristles(pad), losses))});
  exported.sidecars.push_back(
      {bristle_loop_name(pad),
       bristle_loop_text(pad, opening_lines(model, about_loop(pad), losses))});
}

}  // namespace

Result<Exported> MujocoExporter::write(const SensorModel& model) const {
  auto contents = fill_slots(model, mujoco_slots(form_), kEngine);
  if (!contents) return fail(contents.error());
  const auto pad = mujoco_pad(model, *contents, form_);
  if (!pad) return fail(pad.error());
  add_readout_paths(model, *contents);
  add_unscaled_tactels(model, contents->left_out);
  auto losses = slot_losses(model, *contents, kEngine);
  if (!model.stiffness.curve.empty())
    losses.push_back({"stiffness.curve", curve_words(*pad, form_), false});
  const auto on_bristles =
      form_ == MujocoForm::kModern ? bristled(*pad, model, *contents) : std::nullopt;
  add_unused_losses(*contents, *pad, on_bristles.has_value(), losses);
  const auto opening = opening_lines(model, about_pad(*pad), losses);
  Exported exported{mjcf_text(model, *contents, *pad, opening), losses, export_warnings(model)};
  if (const auto weight = pad_weight(*pad, pad->spring(), model, kGravity_m_per_s2)) {
    const auto press = opening_lines(model, about_press(*pad, *weight), losses);
    exported.sidecars.push_back(
        {pad->name + "_press.xml", mjcf_text(model, *contents, *pad, press, weight)});
  }
  if (on_bristles) add_bristle_files(model, *contents, *on_bristles, losses, exported);
  return exported;
}

}  // namespace tactelier
