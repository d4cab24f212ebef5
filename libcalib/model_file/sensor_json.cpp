#include "libcalib/model_file/sensor_json.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>

namespace tactelier {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

template <class T>
ordered_json or_null(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

std::optional<double> number(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return std::nullopt;
  return found->get<double>();
}

ordered_json array_to_json(const SensorArray& array) {
  ordered_json object;
  object["rows"] = array.rows;
  object["columns"] = array.columns;
  object["pitch_x_m"] = array.pitch_x_m;
  object["pitch_y_m"] = array.pitch_y_m;
  object["area_m2"] = or_null(array.area_m2);
  if (!array.positions_m.empty()) object["positions_m"] = array.positions_m;
  if (!array.normals.empty()) object["normals"] = array.normals;
  if (!(array.pose == Pose{}))
    object["pose"] = {{"position_m", array.pose.position_m}, {"rpy_rad", array.pose.rpy_rad}};
  return object;
}

Result<SensorArray> array_from_json(const json& object, const std::string& where) {
  SensorArray array;
  const auto tactels = object["rows"].get<std::int64_t>() * object["columns"].get<std::int64_t>();
  if (tactels > kMaxModelTactels)
    return fail(ErrorCode::kInvalidInput, "{}: {} tactels are more than {}", where, tactels,
                kMaxModelTactels);
  array.rows = object["rows"].get<int>();
  array.columns = object["columns"].get<int>();
  array.pitch_x_m = object["pitch_x_m"].get<double>();
  array.pitch_y_m = object["pitch_y_m"].get<double>();
  array.area_m2 = number(object, "area_m2");
  array.positions_m = object.value("positions_m", std::vector<Vector3>{});
  array.normals = object.value("normals", std::vector<Vector3>{});
  if (object.contains("pose")) {
    array.pose.position_m = object["pose"].value("position_m", Vector3{});
    array.pose.rpy_rad = object["pose"].value("rpy_rad", Vector3{});
  }
  for (const auto& [key, size] : {std::pair{"positions_m", array.positions_m.size()},
                                  std::pair{"normals", array.normals.size()}})
    if (size != 0 && size != static_cast<std::size_t>(tactels))
      return fail(ErrorCode::kInvalidInput, "{}.{}: {} entries for {} tactels", where, key, size,
                  tactels);
  return array;
}

}  // namespace

ordered_json sensor_to_json(const SensorDescription& sensor, const std::string& serial) {
  ordered_json object;
  object["name"] = sensor.name;
  object["vendor"] = sensor.vendor;
  object["model"] = sensor.model;
  object["serial"] = serial;
  object["arrays"] = ordered_json::array();
  for (const auto& array : sensor.arrays) object["arrays"].push_back(array_to_json(array));
  object["channels"] = sensor.channels;
  object["adc"] = {{"bits", or_null(sensor.adc.bits)},
                   {"min", or_null(sensor.adc.min)},
                   {"max", or_null(sensor.adc.max)}};
  object["rate_hz"] = or_null(sensor.rate_hz);
  object["thickness_m"] = or_null(sensor.thickness_m);
  if (sensor.poisson_ratio) object["poisson_ratio"] = *sensor.poisson_ratio;
  if (sensor.poisson_ratio_std) object["poisson_ratio_std"] = *sensor.poisson_ratio_std;
  object["max_force_N"] = or_null(sensor.max_force_N);
  object["max_pressure_Pa"] = or_null(sensor.max_pressure_Pa);
  object["falling"] = sensor.falling;
  object["mesh"] = sensor.mesh;
  object["source"] = sensor.source;
  return object;
}

Result<ModelSensor> sensor_from_json(const json& object, std::string_view where) {
  ModelSensor sensor;
  auto& description = sensor.description;
  std::int64_t tactels = 0;
  for (const auto& entry : object["arrays"]) {
    const auto place = fmt::format("{}: sensor.arrays[{}]", where, description.arrays.size());
    auto array = array_from_json(entry, place);
    if (!array) return fail(array.error());
    tactels += array->tactels();
    if (tactels > kMaxModelTactels)
      return fail(ErrorCode::kInvalidInput, "{}: more than {} tactels", place, kMaxModelTactels);
    description.arrays.push_back(std::move(*array));
  }
  const auto adc = object.value("adc", json::object());
  if (adc.contains("bits") && !adc["bits"].is_null()) description.adc.bits = adc["bits"].get<int>();
  description.adc.min = number(adc, "min");
  description.adc.max = number(adc, "max");
  if (description.adc.min && description.adc.max && *description.adc.min >= *description.adc.max)
    return fail(ErrorCode::kInvalidInput, "{}: sensor.adc: min is not below max", where);
  description.name = object.value("name", "");
  description.vendor = object.value("vendor", "");
  description.model = object.value("model", "");
  description.channels = object.value("channels", 1);
  description.rate_hz = number(object, "rate_hz");
  description.thickness_m = number(object, "thickness_m");
  description.poisson_ratio = number(object, "poisson_ratio");
  description.poisson_ratio_std = number(object, "poisson_ratio_std");
  description.max_force_N = number(object, "max_force_N");
  description.max_pressure_Pa = number(object, "max_pressure_Pa");
  description.falling = object.value("falling", false);
  description.mesh = object.value("mesh", "");
  description.source = object.value("source", "");
  sensor.serial = object.value("serial", "");
  return sensor;
}

}  // namespace tactelier
