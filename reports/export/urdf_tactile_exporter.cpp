#include "reports/export/urdf_tactile_exporter.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "reports/export/calibration_lines.hpp"
#include "reports/export/export_text.hpp"
#include "reports/export/export_xml.hpp"
#include "reports/export/runtime_numbers.hpp"
#include "reports/export/tactel_pad.hpp"

namespace tactelier {
namespace {

constexpr std::string_view kToolbox = "URDF";
constexpr double kTaxelHeight_m = 5e-4;  // of the boxes that RViz draws

std::vector<std::string> about_urdf(const SensorModel& model, const std::string& name) {
  std::vector<std::string> lines{
      "Tactile layout for ROS: URDF with the extension urdf_tactile, SI. Fix the link 'pad' to "
      "your robot.",
      "Frame: centre of the undeformed surface, +z out of it, columns along +x, rows along +y.",
      fmt::format("idx is the place of a reading in the channel '{}': row by row, array after "
                  "array. Newtons: {}_calibration.yaml for tactile_state_calibrator.",
                  name, name)};
  for (auto& line : header_lines(model)) lines.push_back(std::move(line));
  return lines;
}

void add_taxel(const TactelPlace& place, pugi::xml_node tactile) {
  auto taxel = tactile.append_child("taxel");
  set_attribute(taxel, "idx", fmt::format("{}", place.tactel));
  set_attribute(taxel, "xyz", numbers_text(place.position_m));
  set_attribute(taxel, "rpy", numbers_text(place.rpy_rad));
  auto box = taxel.append_child("geometry").append_child("box");
  set_attribute(box, "size",
                numbers_text(Vector3{place.pitch_m[0], place.pitch_m[1], kTaxelHeight_m}));
}

std::string urdf_text(const SensorModel& model, const std::string& name) {
  pugi::xml_document document;
  document.append_child(pugi::node_comment)
      .set_value(block_comment(about_urdf(model, name)).c_str());
  auto robot = document.append_child("robot");
  set_attribute(robot, "name", name);
  set_attribute(robot.append_child("link"), "name", "pad");
  auto sensor = robot.append_child("sensor");
  set_attribute(sensor, "name", name);
  const auto& rate = model.timing.rate_hz;
  if (rate.usable()) set_attribute(sensor, "update_rate", fmt::format("{:.9g}", *rate.value));
  set_attribute(sensor.append_child("parent"), "link", "pad");
  auto origin = sensor.append_child("origin");
  set_attribute(origin, "xyz", "0 0 0");
  set_attribute(origin, "rpy", "0 0 0");
  auto tactile = sensor.append_child("tactile");
  set_attribute(tactile, "channel", name);
  for (const auto& place : tactel_places(model.sensor)) add_taxel(place, tactile);
  return document_text(document);
}

/// "{60: 0, 61: 0.1, 3840: 4.9}": two knots without a number for a tactel without newtons.
std::string values_text(const CalibrationLines& lines) {
  if (lines.knots.empty()) return "{0: .nan, 1: .nan}";
  std::vector<std::string> knots;
  for (const auto& [reading, force_N] : lines.knots)
    knots.push_back(fmt::format("{:.9g}: {:.9f}", reading, force_N));
  return fmt::format("{{{}}}", fmt::join(knots, ", "));
}

std::string yaml_text(const SensorModel& model, const std::string& name,
                      const RuntimeNumbers& numbers, std::span<const CalibrationLines> lines) {
  std::vector<std::string> opening{
      "Calibration for tactile_state_calibrator (ROS tactile toolbox): readings to N per tactel,",
      "straight lines between knots, level beyond them. .nan: no newtons are known."};
  for (auto& line : runtime_header(model, numbers)) opening.push_back(std::move(line));
  auto text = comment_lines("# ", opening) + "calib:\n";
  for (std::size_t i = 0; i < lines.size(); ++i)
    text += fmt::format("  - {{sensor_name: {}, type: PWL, idx_range: [{}], values: {}}}\n", name,
                        i, values_text(lines[i]));
  return text;
}

/// What lines can't say of the readings, once for all tactels.
void add_line_losses(const RuntimeNumbers& numbers, std::span<const CalibrationLines> lines,
                     std::vector<Loss>& losses) {
  double worst_N = 0;
  for (const auto& tactel : lines) worst_N = std::max(worst_N, tactel.worst_N);
  if (worst_N > 1e-9)
    losses.push_back(
        {"response.tactels[].coefficients",
         fmt::format("written as straight lines, nowhere off by more than {:.2g} N", worst_N),
         false});
  if (std::any_of(numbers.tactels.begin(), numbers.tactels.end(),
                  [](const auto& tactel) { return tactel.dead_counts().has_value(); }))
    losses.push_back({"response.tactels[].noise",
                      "readings within a dead zone and its noise become 0 N, not 'none'", false});
}

}  // namespace

Result<Exported> UrdfTactileExporter::write(const SensorModel& model) const {
  auto numbers = runtime_numbers(model, kToolbox);
  if (!numbers) return fail(numbers.error());
  std::vector<CalibrationLines> lines;
  for (const auto& tactel : numbers->tactels) lines.push_back(calibration_lines(tactel, model));
  const auto name = pad_name(model);
  Exported exported{urdf_text(model, name), numbers->losses, export_warnings(model)};
  std::erase_if(exported.losses, [](const auto& loss) { return loss.path == "timing.rate_hz"; });
  add_line_losses(*numbers, lines, exported.losses);
  exported.sidecars.push_back(
      {name + "_calibration.yaml", yaml_text(model, name, *numbers, lines)});
  return exported;
}

}  // namespace tactelier
