#include "reports/export/robworksim_exporter.hpp"

#include <Eigen/Geometry>
#include <array>

#include "libcalib/units.hpp"
#include "reports/export/export_json.hpp"
#include "reports/export/export_text.hpp"
#include "reports/export/export_xml.hpp"
#include "reports/export/flat_arrays.hpp"

namespace tactelier {
namespace {

constexpr std::string_view kRobwork = "RobWorkSim";
constexpr double kPa_per_kPa = 1e3;

/// Of the middle tactel, else what the sensor's description says.
std::optional<double> most_Pa(const SensorModel& model) {
  const auto& sensor = model.sensor;
  const double area_m2 = sensor.sensing_area_m2() / sensor.tactels();
  if (const auto force_N = middle_saturation_N(model)) return *force_N / area_m2;
  if (sensor.max_pressure_Pa) return sensor.max_pressure_Pa;
  if (sensor.max_force_N) return *sensor.max_force_N / sensor.sensing_area_m2();
  return std::nullopt;
}

double least_Pa(const SensorModel& model) {
  return middle_of(model, &TactelResponse::threshold).value_or(0) * model.sensor.tactels() /
         model.sensor.sensing_area_m2();
}

/// Columns go along x from the corner of the first tactel, which is where RobWorkSim begins.
Vector3 corner_m(const SensorArray& array) {
  using Eigen::AngleAxisd, Eigen::Vector3d;
  const auto& rpy = array.pose.rpy_rad;
  const Vector3d offset =
      AngleAxisd(rpy[2], Vector3d::UnitZ()) * AngleAxisd(rpy[1], Vector3d::UnitY()) *
      AngleAxisd(rpy[0], Vector3d::UnitX()) *
      Vector3d(-array.columns * array.pitch_x_m / 2, -array.rows * array.pitch_y_m / 2, 0);
  auto corner = array.pose.position_m;
  for (int i = 0; i < 3; ++i) corner[static_cast<std::size_t>(i)] += offset[i];
  return corner;
}

/// The surface is level: (rows + 1) * (columns + 1) heights of 0.
std::string heights(const SensorArray& array) {
  std::string line, text = "\n";
  for (int row = 0; row <= array.rows; ++row) line += row == 0 ? "0" : " 0";
  for (int column = 0; column <= array.columns; ++column) text += "      " + line + "\n";
  return text + "    ";
}

void add_array(const SensorModel& model, std::size_t index, double limit_Pa, pugi::xml_node root) {
  const auto& array = model.sensor.arrays[index];
  const auto& rpy = array.pose.rpy_rad;
  auto sensor = root.append_child("TactileArraySensor");
  set_attribute(sensor, "frame", "pad");
  add_element(sensor, "Name", fmt::format("{}_array_{}", pad_name(model), index));
  add_element(sensor, "Pos", numbers_text(corner_m(array)));
  add_element(sensor, "RPY",
              numbers_text(std::array{rad_to_deg(rpy[2]), rad_to_deg(rpy[1]), rad_to_deg(rpy[0])}));
  add_element(sensor, "TexelArray", fmt::format("{} {}", array.rows, array.columns));
  add_element(sensor, "TexelHeightMap", heights(array));
  add_element(sensor, "TexelSize", numbers_text(std::array{array.pitch_x_m, array.pitch_y_m}));
  add_element(sensor, "MaxForce", limit_Pa / kPa_per_kPa);
  add_element(sensor, "MinForce", least_Pa(model) / kPa_per_kPa);
}

std::vector<std::string> about_robwork() {
  return {
      "TactileArraySensor of RobWorkSim: put the elements into your DynamicWorkCell, with the "
      "body that carries them as frame.",
      "Lengths in m, RPY in degrees about z, y and x, MaxForce and MinForce in kPa (RobWorkSim "
      "clips at the first and leaves the second out).",
      "TexelArray holds rows, then columns: columns go along +x, rows along +y, from the "
      "corner of the first tactel. Texel (x, y) is our column x of row y.",
      "RobWorkSim's stiffness (700 kPa), deepest press (1.5 mm), low-pass filter (0.1 s) and "
      "spread are its own; none can be given."};
}

}  // namespace

Result<Exported> RobworksimExporter::write(const SensorModel& model) const {
  if (const auto flat = all_flat_grids(model.sensor, kRobwork); !flat) return fail(flat.error());
  const auto limit_Pa = most_Pa(model);
  if (!limit_Pa)
    return fail(ErrorCode::kUnidentifiable,
                "response.tactels: no tactel's saturation is known in N, and the sensor's "
                "description has no largest pressure; {} can't do without it: --assume "
                "response.tactels[0].gain=VALUE, .offset=VALUE and .saturation=VALUE",
                kRobwork);
  SlotContents contents;
  for (std::size_t i = 0; i < model.response.tactels.size(); ++i)
    for (const auto* name : {"gain", "offset", "threshold", "saturation"})
      contents.paths.push_back(fmt::format("response.tactels[{}].{}", i, name));
  auto losses = slot_losses(model, contents, kRobwork);
  add_one_for_all_losses(model, kRobwork, losses);
  pugi::xml_document document;
  document.append_child(pugi::node_comment)
      .set_value(block_comment(opening_lines(model, about_robwork(), losses)).c_str());
  auto root = document.append_child("DynamicWorkCell");
  for (std::size_t i = 0; i < model.sensor.arrays.size(); ++i) add_array(model, i, *limit_Pa, root);
  return Exported{document_text(document), std::move(losses), export_warnings(model)};
}

}  // namespace tactelier
