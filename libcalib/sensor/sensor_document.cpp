#include "libcalib/sensor/sensor_document.hpp"

#include <nlohmann/json.hpp>

#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

json in_mm(const Vector3& at_m) { return {m_to_mm(at_m[0]), m_to_mm(at_m[1]), m_to_mm(at_m[2])}; }

json array_document(const SensorArray& array) {
  json object{{"rows", array.rows},
              {"columns", array.columns},
              {"pitch_x_mm", m_to_mm(array.pitch_x_m)},
              {"pitch_y_mm", m_to_mm(array.pitch_y_m)}};
  if (array.area_m2) object["area_mm2"] = m2_to_mm2(*array.area_m2);
  for (const auto& at_m : array.positions_m) object["positions_mm"].push_back(in_mm(at_m));
  if (!array.normals.empty()) object["normals"] = array.normals;
  if (!(array.pose == Pose{})) {
    const auto& rpy = array.pose.rpy_rad;
    const double degree = deg_to_rad(1);
    object["pose"] = {{"position_mm", in_mm(array.pose.position_m)},
                      {"rpy_deg", {rpy[0] / degree, rpy[1] / degree, rpy[2] / degree}}};
  }
  return object;
}

template <class T>
void add(json& object, const char* key, const std::optional<T>& value) {
  if (value) object[key] = *value;
}

bool is_shipped(const SensorDescription& sensor) {
  if (sensor.name.empty()) return false;
  const auto shipped = load_sensor(sensor.name);
  return shipped && shipped->arrays == sensor.arrays && shipped->adc == sensor.adc &&
         shipped->rate_hz == sensor.rate_hz && shipped->thickness_m == sensor.thickness_m &&
         shipped->poisson_ratio == sensor.poisson_ratio &&
         shipped->poisson_ratio_std == sensor.poisson_ratio_std &&
         shipped->channels == sensor.channels && shipped->falling == sensor.falling;
}

}  // namespace

json sensor_document(const SensorDescription& sensor) {
  if (is_shipped(sensor)) return sensor.name;
  json object = json::object();
  if (sensor.arrays.size() == 1) {
    object = array_document(sensor.arrays.front());
  } else {
    for (const auto& array : sensor.arrays) object["arrays"].push_back(array_document(array));
  }
  object["vendor"] = sensor.vendor;
  object["model"] = sensor.model;
  object["channels"] = sensor.channels;
  object["falling"] = sensor.falling;
  auto adc = json::object();
  add(adc, "bits", sensor.adc.bits);
  add(adc, "min", sensor.adc.min);
  add(adc, "max", sensor.adc.max);
  if (!adc.empty()) object["adc"] = adc;
  add(object, "rate_hz", sensor.rate_hz);
  if (sensor.thickness_m) object["thickness_mm"] = m_to_mm(*sensor.thickness_m);
  add(object, "poisson_ratio", sensor.poisson_ratio);
  add(object, "poisson_ratio_std", sensor.poisson_ratio_std);
  add(object, "max_force_N", sensor.max_force_N);
  if (sensor.max_pressure_Pa) object["max_pressure_MPa"] = *sensor.max_pressure_Pa * 1e-6;
  return object;
}

}  // namespace tactelier
