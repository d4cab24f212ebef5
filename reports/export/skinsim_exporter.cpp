#include "reports/export/skinsim_exporter.hpp"

#include <array>
#include <numbers>

#include "reports/export/export_json.hpp"
#include "reports/export/export_text.hpp"
#include "reports/export/flat_arrays.hpp"
#include "reports/export/pad_slots.hpp"

namespace tactelier {
namespace {

constexpr std::string_view kSkinsim = "SkinSim";
constexpr int kMostElements = 99;     // of a patch
constexpr double kElement_kg = 1e-3;  // without gravity: any will do
constexpr double kNoSpread_m = 1e-3;  // beside a scaling of 0
constexpr double kStep_s = 5e-4;      // SkinSim's own

constexpr std::array kSkinsimSlots{
    kStiffnessSlot,
    kDampingSlot,
    kThicknessSlot,
    Slot{"spread_sigma", "psf.sigma", "m: spread of force to neighbours"},
    Slot{"update_rate", "timing.rate_hz", "Hz: of the sensor's frames"},
    Slot{"delay", "timing.latency_s", "s: of the sensor's frames", Bound::kNotNegative},
};

/// Into how many patches a side of `elements` falls so that no patch is too large: of patches with
/// as many columns and rows each, the fewest.
std::array<int, 2> patches(const SensorArray& array) {
  std::array best{array.columns, array.rows};
  for (int x = 1; x <= array.columns; ++x)
    for (int y = 1; y <= array.rows; ++y) {
      if (array.columns % x != 0 || array.rows % y != 0) continue;
      const bool fits = array.columns / x * (array.rows / y) <= kMostElements;
      if (fits && x * y < best[0] * best[1]) best = {x, y};
    }
  return best;
}

std::string number(double value) { return fmt::format("{:.9f}", value); }

using Members = std::vector<std::array<std::string, 2>>;

/// Of the middle tactel, in N.
double noise_N(const SensorModel& model) {
  const auto noise = middle_of(model, &TactelResponse::noise);
  const auto counts_per_N = middle_counts_per_N(model);
  return noise && counts_per_N ? *noise / *counts_per_N : 0;
}

void add_elements(const SensorArray& array, const SlotContents& contents, Members& members) {
  const auto [x, y] = patches(array);
  const double pitch_m = array.pitch_x_m;
  const double height_m = contents.value("thickness_m").value_or(pitch_m);
  members = {{"num_elements_x", fmt::format("{}", array.columns / x)},
             {"num_elements_y", fmt::format("{}", array.rows / y)},
             {"num_patches_x", fmt::format("{}", x)},
             {"num_patches_y", fmt::format("{}", y)},
             {"element_diameter", number(pitch_m)},
             {"element_height", number(height_m)},
             {"element_mass", number(kElement_kg)},
             {"element_spring", number(*contents.value("stiffness"))},
             {"element_damping", number(*contents.value("damping"))},
             {"plane_thickness", number(height_m / 10)},
             {"plane_height", number(height_m / 2)},
             {"init_x", number(array.pose.position_m[0])},
             {"init_y", number(array.pose.position_m[1])},
             {"init_z", number(array.pose.position_m[2] - height_m - pitch_m)},
             {"parent", "world"}};
  for (const auto* name : {"patch_length_x", "patch_length_y", "total_length_x", "total_length_y"})
    members.push_back({name, number(0)});
  members.push_back({"tactile_elements_x", "1"});
  members.push_back({"tactile_elements_y", "1"});
  members.push_back({"tactile_separation_x", "0"});
  members.push_back({"tactile_separation_y", "0"});
}

/// Gaussian weights of all elements add up to 2 pi sigma^2 / element.
void add_plugin(const SensorModel& model, const SensorArray& array, const SlotContents& contents,
                Members& members) {
  const auto sigma_m = contents.value("spread_sigma");
  const double scaling =
      sigma_m ? array.pitch_x_m * array.pitch_y_m / (2 * std::numbers::pi * *sigma_m * *sigma_m)
              : 0;
  for (const auto& [name, value] : std::initializer_list<std::pair<const char*, double>>{
           {"plunger_radius", array.pitch_x_m / 4},
           {"plunger_length", 0.02},
           {"plunger_mass", 1},
           {"plunger_spring", 0},
           {"plunger_damping", 0}})
    members.push_back({name, number(value)});
  members.push_back({"plunger_gravity", "false"});
  for (const auto& [name, value] : std::initializer_list<std::pair<const char*, double>>{
           {"plunger_offset_x", 0},
           {"plunger_offset_y", 0},
           {"plunger_offset_z", 1e-4},
           {"spread_scaling", scaling},
           {"spread_sigma", sigma_m.value_or(kNoSpread_m)}})
    members.push_back({name, number(value)});
  members.push_back({"ros_namespace", "skinsim"});
  for (const auto& [name, value] : std::initializer_list<std::pair<const char*, double>>{
           {"update_rate", contents.value("update_rate").value_or(0)},
           {"noiseSigma", noise_N(model)},
           {"noiseMu", 0},
           {"noiseAmplitude", 0},
           {"delay", contents.value("delay").value_or(0)}})
    members.push_back({name, number(value)});
  members.push_back({"solver_iterations", "750"});
  members.push_back({"step_size", number(kStep_s)});
  members.push_back({"max_sim_time", number(1)});
  members.push_back({"topic", "/skinsim/plunger_data"});
}

std::string entry_text(const SensorModel& model, std::size_t index, const SlotContents& contents) {
  const auto& array = model.sensor.arrays[index];
  Members members;
  add_elements(array, contents, members);
  add_plugin(model, array, contents, members);
  auto text = fmt::format("- name: {}_array_{}\n  spec:\n", pad_name(model), index);
  for (const auto& [name, value] : members)
    text += fmt::format("    {} {}: {}\n", &value == &members.front()[1] ? "-" : " ", name, value);
  return text;
}

std::vector<std::string> about_skinsim() {
  return {
      "Parameters of SkinSim's model generator, SI: an entry per array.",
      "Elements go along +x, then along +y: columns, then rows; every one is a tactile sensor.",
      "Known are diameter (the pitch), spring, damping, spread, noise, rate and delay; mass, "
      "plane, plunger, solver and times are SkinSim's own or stand for nothing.",
      "Where a number is not known: height is the pitch, spread has a scaling of 0, rate, noise "
      "and delay are 0."};
}

Result<void> square(const SensorDescription& sensor) {
  for (std::size_t i = 0; i < sensor.arrays.size(); ++i)
    if (const auto& array = sensor.arrays[i]; array.pitch_x_m != array.pitch_y_m)
      return fail(ErrorCode::kInvalidInput,
                  "sensor.arrays[{}]: tactels of {} x {} m; SkinSim's elements are as long as they "
                  "are wide",
                  i, array.pitch_x_m, array.pitch_y_m);
  return {};
}

void add_skinsim_losses(const SensorModel& model, std::vector<Loss>& losses) {
  if (!model.stiffness.curve.empty())
    losses.push_back({"stiffness.curve",
                      "SkinSim has one spring per element: k is written, hardening isn't", false});
  for (std::size_t i = 0; i < model.sensor.arrays.size(); ++i)
    if (model.sensor.arrays[i].pose.rpy_rad != Vector3{0, 0, 0})
      losses.push_back({fmt::format("sensor.arrays[{}].pose.rpy", i),
                        "SkinSim lays patches level: the array is not turned", false});
  add_one_for_all_losses(model, kSkinsim, losses);
}

}  // namespace

Result<Exported> SkinsimExporter::write(const SensorModel& model) const {
  if (const auto flat = all_flat_grids(model.sensor, kSkinsim); !flat) return fail(flat.error());
  if (const auto sides = square(model.sensor); !sides) return fail(sides.error());
  auto contents = fill_slots(model, kSkinsimSlots, kSkinsim);
  if (!contents) return fail(contents.error());
  for (std::size_t i = 0; i < model.response.tactels.size(); ++i)
    for (const auto* name : {"gain", "noise"})
      contents->paths.push_back(fmt::format("response.tactels[{}].{}", i, name));
  auto losses = slot_losses(model, *contents, kSkinsim);
  add_skinsim_losses(model, losses);
  auto opening = opening_lines(model, about_skinsim(), losses);
  for (auto& line : slot_value_lines(*contents)) opening.push_back(std::move(line));
  auto text = comment_lines("# ", opening);
  for (std::size_t i = 0; i < model.sensor.arrays.size(); ++i)
    text += entry_text(model, i, *contents);
  return Exported{std::move(text), std::move(losses), export_warnings(model)};
}

}  // namespace tactelier
