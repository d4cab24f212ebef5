#include "reports/export/tactel_places.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace tactelier {
namespace {

constexpr double kLevel = 1e-9;  // of heights in m, of a normal's tilt in rad

Eigen::Vector3d normal_in_array(const SensorArray& array, int local) {
  if (array.normals.empty()) return Eigen::Vector3d::UnitZ();
  const auto& normal = array.normals[static_cast<std::size_t>(local)];
  return Eigen::Vector3d(normal[0], normal[1], normal[2]).normalized();
}

Eigen::Quaterniond turn_of(const Pose& pose) {
  using Eigen::AngleAxisd, Eigen::Vector3d;
  return AngleAxisd(pose.rpy_rad[2], Vector3d::UnitZ()) *
         AngleAxisd(pose.rpy_rad[1], Vector3d::UnitY()) *
         AngleAxisd(pose.rpy_rad[0], Vector3d::UnitX());
}

/// Without a turn about the normal: Ry(pitch) Rx(roll) z.
Vector3 rpy_to(const Vector3& normal) {
  return {std::atan2(-normal[1], std::hypot(normal[0], normal[2])),
          std::atan2(normal[0], normal[2]), 0};
}

}  // namespace

std::string TactelPlace::name() const {
  return fmt::format("t{}_a{}_r{}_c{}", tactel, array, row, column);
}

std::array<double, 4> quaternion_to(const Vector3& normal) {
  if (normal[2] < -1 + 1e-12) return {0, 1, 0, 0};
  const double w = std::sqrt((1 + normal[2]) / 2);
  return {w, -normal[1] / (2 * w), normal[0] / (2 * w), 0};
}

std::vector<TactelPlace> tactel_places(const SensorDescription& sensor) {
  std::vector<TactelPlace> places;
  for (std::size_t a = 0; a < sensor.arrays.size(); ++a) {
    const auto& array = sensor.arrays[a];
    const auto turn = turn_of(array.pose);
    for (int local = 0; local < array.tactels(); ++local) {
      const auto tactel = static_cast<int>(places.size());
      const Eigen::Vector3d turned = turn * normal_in_array(array, local);
      const Vector3 normal{turned.x(), turned.y(), turned.z()};
      places.push_back({tactel,
                        static_cast<int>(a),
                        local / array.columns,
                        local % array.columns,
                        sensor.position_m(tactel),
                        normal,
                        std::min(array.pitch_x_m, array.pitch_y_m) / 2,
                        array.normals.empty() ? array.pose.rpy_rad : rpy_to(normal),
                        {array.pitch_x_m, array.pitch_y_m}});
    }
  }
  return places;
}

bool is_level(const std::vector<TactelPlace>& places) {
  return std::all_of(places.begin(), places.end(), [&](const auto& place) {
    return std::abs(place.normal[0]) < kLevel && std::abs(place.normal[1]) < kLevel &&
           place.normal[2] > 0 &&
           std::abs(place.position_m[2] - places.front().position_m[2]) < kLevel;
  });
}

}  // namespace tactelier
