// Sensor descriptions from JSON: schema first, then sense.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/resources.hpp"
#include "libcalib/sensor/sensor_description.hpp"
#include "libcalib/text_file.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

constexpr std::int64_t kMaxTactels = 1'000'000;
constexpr std::size_t kMaxBytes = 256U << 20U;  // a million positions fit
constexpr double kLongest_m = 100;

bool given(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && !found->is_null();
}

std::optional<double> number(const json& object, const char* key, double to_si = 1) {
  if (!given(object, key)) return std::nullopt;
  return object[key].get<double>() * to_si;
}

Vector3 vector(const json& list) {
  return {list[0].get<double>(), list[1].get<double>(), list[2].get<double>()};
}

/// Messages begin with where, then the path of what they speak of.
struct At {
  std::string where;
  std::string path;

  template <class... Args>
  tl::unexpected<Error> bad(fmt::format_string<Args...> text, Args&&... args) const {
    return fail(ErrorCode::kInvalidInput, "{}: {}{}{}", where, path, path.empty() ? "" : ": ",
                fmt::format(text, std::forward<Args>(args)...));
  }
};

Result<void> read_positions(const json& object, SensorArray& array, const At& at) {
  for (const auto& entry : object["positions_mm"]) {
    auto position = vector(entry);
    for (auto& coordinate : position) coordinate = mm_to_m(coordinate);
    array.positions_m.push_back(position);
  }
  for (const auto& entry : object.value("normals", json::array())) {
    auto normal = vector(entry);
    const double length = std::hypot(normal[0], normal[1], normal[2]);
    if (!(length > 0) || !std::isfinite(length))
      return at.bad("normals[{}]: has no direction", array.normals.size());
    if (std::abs(length - 1) > 1e-12)
      for (auto& component : normal) component /= length;
    array.normals.push_back(normal);
  }
  if (!array.normals.empty() && array.normals.size() != array.positions_m.size())
    return at.bad("{} normals for {} positions_mm; one per tactel is needed", array.normals.size(),
                  array.positions_m.size());
  return {};
}

Result<void> check_grid(const json& object, const At& at) {
  for (const char* key : {"rows", "columns", "pitch_x_mm", "pitch_y_mm"})
    if (!given(object, key)) return at.bad("key '{}' is missing", key);
  if (given(object, "normals")) return at.bad("normals need positions_mm, one for each tactel");
  return {};
}

/// Without rows and columns a list of positions counts as one column.
Result<void> read_count(const json& object, SensorArray& array, const At& at) {
  const auto listed = static_cast<std::int64_t>(array.positions_m.size());
  const bool list = given(object, "positions_mm");
  const auto rows = object.value("rows", list ? listed : 0);
  const auto columns = object.value("columns", std::int64_t{1});
  if (list && given(object, "rows") != given(object, "columns"))
    return at.bad("rows and columns belong together; leave both out where there is no grid");
  if (rows * columns > kMaxTactels)
    return at.bad("{} x {} tactels are more than {}", rows, columns, kMaxTactels);
  if (list && rows * columns != listed)
    return at.bad("{} positions_mm for {} x {} tactels; one per tactel is needed", listed, rows,
                  columns);
  array.rows = static_cast<int>(rows);
  array.columns = static_cast<int>(columns);
  return {};
}

Pose read_pose(const json& object) {
  Pose pose;
  if (object.contains("position_mm")) {
    pose.position_m = vector(object["position_mm"]);
    for (auto& coordinate : pose.position_m) coordinate = mm_to_m(coordinate);
  }
  if (object.contains("rpy_deg")) {
    pose.rpy_rad = vector(object["rpy_deg"]);
    for (auto& angle : pose.rpy_rad) angle = deg_to_rad(angle);
  }
  return pose;
}

Result<SensorArray> read_array(const json& object, const At& at) {
  SensorArray array;
  const auto layout =
      given(object, "positions_mm") ? read_positions(object, array, at) : check_grid(object, at);
  if (!layout) return fail(layout.error());
  if (const auto count = read_count(object, array, at); !count) return fail(count.error());
  array.pitch_x_m = number(object, "pitch_x_mm", 1e-3).value_or(0);
  array.pitch_y_m = number(object, "pitch_y_mm", 1e-3).value_or(0);
  array.area_m2 = number(object, "area_mm2", 1e-6);
  if (array.columns * array.pitch_x_m > kLongest_m || array.rows * array.pitch_y_m > kLongest_m)
    return at.bad("an array of {:.4g} m x {:.4g} m is impossible; pitches are in mm",
                  array.columns * array.pitch_x_m, array.rows * array.pitch_y_m);
  if (given(object, "pose")) array.pose = read_pose(object["pose"]);
  return array;
}

/// The keys that describe one array; beside `arrays` they would say it twice.
constexpr std::array kLayoutKeys{"rows",     "columns",      "pitch_x_mm", "pitch_y_mm",
                                 "area_mm2", "positions_mm", "normals",    "pose"};

Result<std::vector<SensorArray>> read_arrays(const json& object, const At& at) {
  std::vector<SensorArray> arrays;
  if (!given(object, "arrays")) {
    const bool mesh_alone = given(object, "mesh") && !given(object, "rows");
    if (mesh_alone && !given(object, "positions_mm"))
      return at.bad(
          "a mesh shows the surface but not the tactels: add rows, columns and pitches, arrays, or "
          "positions_mm");
    auto array = read_array(object, at);
    if (!array) return fail(array.error());
    arrays.push_back(std::move(*array));
    return arrays;
  }
  for (const char* key : kLayoutKeys)
    if (given(object, key)) return at.bad("'{}' belongs into the entries of 'arrays'", key);
  std::int64_t total = 0;
  for (const auto& entry : object["arrays"]) {
    auto array = read_array(entry, {at.where, fmt::format("arrays[{}]", arrays.size())});
    if (!array) return fail(array.error());
    total += array->tactels();
    if (total > kMaxTactels) return at.bad("more than {} tactels", kMaxTactels);
    arrays.push_back(std::move(*array));
  }
  return arrays;
}

Result<Adc> read_adc(const json& object, const At& at) {
  Adc adc;
  if (given(object, "bits")) adc.bits = object["bits"].get<int>();
  adc.min = number(object, "min");
  adc.max = number(object, "max");
  if (!adc.min || !adc.max) return adc;
  if (*adc.min >= *adc.max)
    return at.bad("min {:.10g} is not below max {:.10g}", *adc.min, *adc.max);
  if (adc.bits && *adc.max - *adc.min > std::exp2(*adc.bits) - 1)
    return at.bad("{:.10g} .. {:.10g} counts don't fit into {} bits", *adc.min, *adc.max,
                  *adc.bits);
  return adc;
}

}  // namespace

Result<SensorDescription> parse_sensor(std::string_view json_text, std::string_view where,
                                       bool inline_object) {
  auto parsed = parse_json(json_text, where);
  if (!parsed) return fail(parsed.error());
  const auto& object = *parsed;
  const bool has_format = object.is_object() && object.contains("format");
  if (!inline_object || has_format)
    if (const auto format = check_format(object, "tactelier/sensor", 1, where); !format)
      return fail(format.error());
  const auto checked = check_schema(object, inline_object ? "sensor-inline" : "sensor", where);
  if (!checked) return fail(checked.error());

  SensorDescription sensor;
  auto arrays = read_arrays(object, {std::string(where), ""});
  if (!arrays) return fail(arrays.error());
  sensor.arrays = std::move(*arrays);
  const auto adc = read_adc(object.value("adc", json::object()), {std::string(where), "adc"});
  if (!adc) return fail(adc.error());
  sensor.adc = *adc;
  sensor.vendor = object.value("vendor", "");
  sensor.model = object.value("model", "");
  sensor.channels = object.value("channels", 1);
  sensor.rate_hz = number(object, "rate_hz");
  sensor.thickness_m = number(object, "thickness_mm", 1e-3);
  sensor.poisson_ratio = number(object, "poisson_ratio");
  sensor.poisson_ratio_std = number(object, "poisson_ratio_std");
  sensor.max_force_N = number(object, "max_force_N");
  sensor.max_pressure_Pa = number(object, "max_pressure_MPa", 1e6);
  sensor.falling = object.value("falling", false);
  sensor.mesh = object.value("mesh", "");
  sensor.source = object.value("source", "");
  return sensor;
}

Result<SensorDescription> load_sensor(std::string_view name_or_path) {
  const std::filesystem::path path(name_or_path);
  const auto name = std::string(name_or_path);
  if (const auto text = resource("sensors/" + name + ".json")) {
    auto sensor = parse_sensor(*text, name + ".json", false);
    if (sensor) sensor->name = name;
    return sensor;
  }
  const bool looks_like_path = path.has_parent_path() || path.extension() == ".json";
  if (!looks_like_path)
    return fail(ErrorCode::kInvalidInput,
                "unknown sensor '{}'{}; `tactelier sensors list` shows the names, a file is given "
                "by its path",
                name, did_you_mean(name, shipped_sensors()));
  const auto text = read_text_file(path, kMaxBytes);
  if (!text) return fail(text.error());
  auto sensor = parse_sensor(*text, name, false);
  if (sensor) sensor->name = path.stem().string();
  return sensor;
}

std::vector<std::string> shipped_sensors() { return shipped_names("sensors"); }

}  // namespace tactelier
