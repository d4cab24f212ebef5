#include "reports/export/tacto_exporter.hpp"

#include <algorithm>
#include <array>

#include "reports/export/export_text.hpp"
#include "reports/export/flat_arrays.hpp"
#include "reports/export/pad_slots.hpp"

namespace tactelier {
namespace {

constexpr std::string_view kTacto = "TACTO";
constexpr std::array kTactoSlots{kStiffnessSlot};

/// Saturation of the middle tactel, else what the model is valid for.
std::optional<double> most_N(const SensorModel& model) {
  if (const auto force_N = middle_saturation_N(model)) return force_N;
  if (model.validity.force_N) return (*model.validity.force_N)[1];
  return std::nullopt;
}

std::vector<std::string> about_tacto(std::size_t array, double force_N) {
  return {
      fmt::format("Configuration of TACTO's renderer for array {}: Sensor(config_path=...).",
                  array),
      "Gel in the y-z plane, its surface looks along +x: columns along y, rows along z.",
      fmt::format("An object pressed with F on one tactel goes in by F / k, up to {:.6g} N (the "
                  "middle tactel's saturation, else the range of validity). On n tactels it "
                  "goes in n times too far.",
                  force_N),
      "Camera, lights and colour noise are none of the sensor's: they see the gel, no more."};
}

std::string tacto_text(const SensorModel& model, std::size_t index, double force_N,
                       double deformation_m, std::span<const Loss> losses) {
  const auto& array = model.sensor.arrays[index];
  const double width_m = array.columns * array.pitch_x_m, height_m = array.rows * array.pitch_y_m;
  const double behind_m = std::max(width_m, height_m);
  return comment_lines("# ", opening_lines(model, about_tacto(index, force_N), losses)) +
         fmt::format(
             "sensor:\n"
             "  camera:\n"
             "    - position: [{0:.9f}, 0, 0]\n      orientation: [90, 0, -90]\n"
             "      yfov: 60\n      znear: 0.0001\n      lightIDList: [0, 1, 2]\n"
             "  gel:\n"
             "    origin: [0, 0, 0]\n    width: {1:.9f}\n    height: {2:.9f}\n"
             "    curvature: False\n    curvatureMax: 0\n    R: 1\n    countW: 100\n"
             "  lights:\n"
             "    origin: [{0:.9f}, 0, 0]\n    polar: True\n"
             "    xyz:\n      coords: [[0, {3:.9f}, 0], [0, -{3:.9f}, 0], [0, 0, -{3:.9f}]]\n"
             "    xrtheta:\n      xs: [0, 0, 0]\n      rs: [{3:.9f}, {3:.9f}, {3:.9f}]\n"
             "      thetas: [30, 150, 270]\n"
             "    colors: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n    intensities: [1, 1, 1]\n"
             "  noise:\n    color:\n      mean: 0\n      std: 0\n"
             "  force:\n"
             "    enable: True\n    range_force: [0, {4:.9f}]\n    max_deformation: {5:.9f}\n",
             -behind_m, width_m, height_m, behind_m, force_N, deformation_m);
}

}  // namespace

Result<Exported> TactoExporter::write(const SensorModel& model) const {
  if (const auto flat = all_flat_grids(model.sensor, kTacto); !flat) return fail(flat.error());
  auto contents = fill_slots(model, kTactoSlots, kTacto);
  if (!contents) return fail(contents.error());
  const auto force_N = most_N(model);
  if (!force_N)
    return fail(ErrorCode::kUnidentifiable,
                "validity.force_N: neither a tactel's saturation in N nor a range of forces is "
                "known, and {} wants a largest force: --assume response.tactels[0].gain=VALUE, "
                ".offset=VALUE and .saturation=VALUE",
                kTacto);
  for (std::size_t i = 0; i < model.response.tactels.size(); ++i)
    for (const auto* name : {"gain", "offset", "threshold", "saturation"})
      contents->paths.push_back(fmt::format("response.tactels[{}].{}", i, name));
  auto losses = slot_losses(model, *contents, kTacto);
  if (!model.stiffness.curve.empty())
    losses.push_back(
        {"stiffness.curve", "TACTO's gel goes in by force alone: hardening isn't written", false});
  add_one_for_all_losses(model, kTacto, losses);
  const double deformation_m = *force_N / *contents->value("stiffness");
  Exported exported{tacto_text(model, 0, *force_N, deformation_m, losses), losses,
                    export_warnings(model)};
  for (std::size_t i = 1; i < model.sensor.arrays.size(); ++i)
    exported.sidecars.push_back({fmt::format("{}_array_{}.yml", pad_name(model), i),
                                 tacto_text(model, i, *force_N, deformation_m, losses)});
  return exported;
}

}  // namespace tactelier
