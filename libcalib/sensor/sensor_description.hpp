#pragma once
// What a maker says of a tactile array before anyone has pressed it: layout, converter, limits.
// Files: data/sensors/NAME.json, or inline in a session (docs/add-a-sensor.md).
//
// Tactels are numbered row by row, array after array, from 0. Sensor frame S: origin at the centre
// of the array's undeformed outer surface, +x towards higher columns, +y towards higher rows,
// +z out of the surface.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier {

using Vector3 = std::array<double, 3>;

struct Pose {
  Vector3 position_m{0, 0, 0};
  Vector3 rpy_rad{0, 0, 0};  // roll, pitch, yaw about the fixed axes of S

  bool operator==(const Pose&) const = default;
};

struct SensorArray {
  int rows = 0;
  int columns = 0;
  double pitch_x_m = 0;
  double pitch_y_m = 0;
  std::optional<double> area_m2;     // sensing area when it is not rows * columns * pitches
  std::vector<Vector3> positions_m;  // one per tactel for irregular arrays, else empty
  std::vector<Vector3> normals;      // like positions_m
  Pose pose;                         // array frame in S

  int tactels() const { return rows * columns; }
  /// area_m2 if given, else rows * columns * pitch_x * pitch_y.
  double sensing_area_m2() const;
  bool operator==(const SensorArray&) const = default;
};

struct Adc {
  std::optional<int> bits;
  std::optional<double> min;  // counts
  std::optional<double> max;

  bool operator==(const Adc&) const = default;
};

struct SensorDescription {
  std::string name;  // of the file: "weiss-wts0614"; empty when inline
  std::string vendor;
  std::string model;
  std::vector<SensorArray> arrays;  // at least one
  int channels = 1;                 // readings per tactel
  Adc adc;
  std::optional<double> rate_hz;
  std::optional<double> thickness_m;
  std::optional<double> poisson_ratio;      // of the layer
  std::optional<double> poisson_ratio_std;  // standard uncertainty
  std::optional<double> max_force_N;
  std::optional<double> max_pressure_Pa;
  bool falling = false;  // readings fall under load
  std::string mesh;      // file of a meshed surface, empty when flat
  std::string source;    // where the numbers come from

  int tactels() const;
  double sensing_area_m2() const;
  /// Centre of a tactel in S. 0 <= tactel < tactels().
  Vector3 position_m(int tactel) const;
  /// Index of the array that holds the tactel.
  const SensorArray& array_of(int tactel) const;
};

/// `json_text` is a description file or the inline object; `where` stands in front of messages.
/// Checks against data/schemas/sensor.schema.json, then for sense (positive pitches, min < max
/// ...).
Result<SensorDescription> parse_sensor(std::string_view json_text, std::string_view where,
                                       bool inline_object);

/// A description by file path or by the name of a shipped one; unknown names get "did you mean".
Result<SensorDescription> load_sensor(std::string_view name_or_path);

/// Names of the shipped descriptions, sorted.
std::vector<std::string> shipped_sensors();

/// What looks odd but is allowed, e.g. CV-05: the area and n * pitch^2 differ by more than 5 %.
Warnings check_sensor(const SensorDescription& sensor);

}  // namespace tactelier
