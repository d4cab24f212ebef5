#include "reports/export/layer_box.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <optional>

#include "libcalib/units.hpp"

namespace tactelier {
namespace {

/// Modulus and thickness of the layer, fitted, else of the tactels' springs: k h / a.
std::optional<std::array<double, 2>> layer(const SensorArray& array, const SlotContents& contents) {
  const auto modulus_Pa = contents.value("modulus"), foundation_m = contents.value("foundation_m");
  if (modulus_Pa && foundation_m) return {{*modulus_Pa, *foundation_m}};
  const auto thickness_m = contents.value("thickness_m");
  if (!thickness_m) return std::nullopt;
  const double area_m2 = array.sensing_area_m2() / array.tactels();
  return {{*contents.value("stiffness") * *thickness_m / area_m2, *thickness_m}};
}

/// "" where there is one now.
std::string add_box(const SensorArray& array, const SlotContents& contents,
                    std::vector<LayerBox>& boxes) {
  if (!array.positions_m.empty() || !array.normals.empty()) return "an array is not a flat grid";
  const auto found = layer(array, contents);
  if (!found) return "the layer's thickness is not known";
  const auto [modulus_Pa, thickness_m] = *found;
  const Vector3 size_m{array.columns * array.pitch_x_m, array.rows * array.pitch_y_m,
                       2 * thickness_m};
  if (std::min(size_m[0], size_m[1]) < size_m[2])
    return fmt::format(
        "an array narrower than twice its layer of {:g} mm: pressure would "
        "rise from its sides",
        m_to_mm(thickness_m));
  boxes.push_back({array.pose, size_m, modulus_Pa});
  return {};
}

}  // namespace

LayerBoxes layer_boxes(const SensorDescription& sensor, const SlotContents& contents) {
  LayerBoxes found;
  for (const auto& array : sensor.arrays)
    if (found.none.empty()) found.none = add_box(array, contents, found.boxes);
  if (!found.none.empty()) found.boxes.clear();
  return found;
}

Pose centre_of(const LayerBox& box) {
  using Eigen::AngleAxisd, Eigen::Vector3d;
  const auto& rpy_rad = box.pose.rpy_rad;
  const Vector3d up = AngleAxisd(rpy_rad[2], Vector3d::UnitZ()) *
                      AngleAxisd(rpy_rad[1], Vector3d::UnitY()) *
                      AngleAxisd(rpy_rad[0], Vector3d::UnitX()) * Vector3d::UnitZ();
  auto pose = box.pose;
  for (int i = 0; i < 3; ++i)
    pose.position_m[static_cast<std::size_t>(i)] -= box.size_m[2] / 2 * up[i];
  return pose;
}

}  // namespace tactelier
