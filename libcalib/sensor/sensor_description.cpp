#include "libcalib/sensor/sensor_description.hpp"

#include <cassert>
#include <cmath>
#include <cstddef>

#include "libcalib/units.hpp"

namespace tactelier {
namespace {

/// Turns by roll, then pitch, then yaw about the fixed axes.
Vector3 rotated(const Vector3& p, const Vector3& rpy_rad) {
  const double cr = std::cos(rpy_rad[0]);
  const double sr = std::sin(rpy_rad[0]);
  const double cp = std::cos(rpy_rad[1]);
  const double sp = std::sin(rpy_rad[1]);
  const double cy = std::cos(rpy_rad[2]);
  const double sy = std::sin(rpy_rad[2]);
  const Vector3 rolled{p[0], cr * p[1] - sr * p[2], sr * p[1] + cr * p[2]};
  const Vector3 pitched{cp * rolled[0] + sp * rolled[2], rolled[1],
                        -sp * rolled[0] + cp * rolled[2]};
  return {cy * pitched[0] - sy * pitched[1], sy * pitched[0] + cy * pitched[1], pitched[2]};
}

Vector3 position_in_array_m(const SensorArray& array, int tactel) {
  if (!array.positions_m.empty()) return array.positions_m[static_cast<std::size_t>(tactel)];
  const double row = tactel / array.columns;  // NOLINT(bugprone-integer-division): whole rows
  const double column = tactel % array.columns;
  return {(column - (array.columns - 1) / 2.0) * array.pitch_x_m,
          (row - (array.rows - 1) / 2.0) * array.pitch_y_m, 0};
}

}  // namespace

double SensorArray::sensing_area_m2() const {
  return area_m2.value_or(tactels() * pitch_x_m * pitch_y_m);
}

int SensorDescription::tactels() const {
  int count = 0;
  for (const auto& array : arrays) count += array.tactels();
  return count;
}

double SensorDescription::sensing_area_m2() const {
  double area_m2 = 0;
  for (const auto& array : arrays) area_m2 += array.sensing_area_m2();
  return area_m2;
}

const SensorArray& SensorDescription::array_of(int tactel) const {
  assert(tactel >= 0 && tactel < tactels());
  for (const auto& array : arrays) {
    if (tactel < array.tactels()) return array;
    tactel -= array.tactels();
  }
  return arrays.back();
}

Vector3 SensorDescription::position_m(int tactel) const {
  assert(tactel >= 0 && tactel < tactels());
  int local = tactel;
  for (const auto& array : arrays) {
    if (local >= array.tactels()) {
      local -= array.tactels();
      continue;
    }
    auto position_m = rotated(position_in_array_m(array, local), array.pose.rpy_rad);
    for (std::size_t axis = 0; axis < 3; ++axis) position_m[axis] += array.pose.position_m[axis];
    return position_m;
  }
  return {0, 0, 0};
}

Warnings check_sensor(const SensorDescription& sensor) {
  constexpr double kTolerance = 0.05;  // docs/theory/conventions.md 3
  Warnings warnings;
  for (std::size_t i = 0; i < sensor.arrays.size(); ++i) {
    const auto& array = sensor.arrays[i];
    const double cells_m2 = array.tactels() * array.pitch_x_m * array.pitch_y_m;
    if (!array.area_m2 || cells_m2 <= 0) continue;
    if (std::abs(*array.area_m2 / cells_m2 - 1) <= kTolerance) continue;
    const double x_mm = m_to_mm(array.pitch_x_m);
    const double y_mm = m_to_mm(array.pitch_y_m);
    const auto pitch =
        x_mm == y_mm ? fmt::format("{:.6g}", x_mm) : fmt::format("{:.6g} x {:.6g}", x_mm, y_mm);
    warnings.push_back(
        {"CV-05",
         fmt::format("{} tactels of {} mm cover {:.6g} mm², the file says {:.6g} mm²: k from "
                     "eq. 18 scales with this.",
                     array.tactels(), pitch, m2_to_mm2(cells_m2), m2_to_mm2(*array.area_m2)),
         sensor.arrays.size() > 1 ? fmt::format("arrays[{}]", i) : "sensor"});
  }
  return warnings;
}

}  // namespace tactelier
