#include "devices/registry/device_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "devices/replay/replay_cache.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier::devices {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = 1U << 20U;

struct Place {
  std::string where;
  std::filesystem::path folder;
};

template <class Device>
Result<DeviceEntry<Device>> read_entry(const json& entry, const char* role, const Place& place,
                                       std::span<const Driver<Device>* const> drivers) {
  const auto where = fmt::format("{}: {}", place.where, role);
  const auto name = get_text(entry, "driver");
  const auto found = std::find_if(drivers.begin(), drivers.end(),
                                  [&](const auto* driver) { return driver->name == name; });
  if (found == drivers.end()) {
    std::vector<std::string> names;
    for (const auto* driver : drivers) names.emplace_back(driver->name);
    return fail(ErrorCode::kInvalidInput, "{}: driver: '{}' is unknown{}; there are {}", where,
                name, did_you_mean(name, names), fmt::join(names, ", "));
  }
  return DriverOptions::read(entry, name, (*found)->options, where, place.folder)
      .map([&](DriverOptions options) {
        return DeviceEntry<Device>{*found, std::move(options)};
      });
}

template <class Device>
Result<void> read_role(const json& document, const char* role, const Place& place,
                       std::span<const Driver<Device>* const> drivers,
                       std::optional<DeviceEntry<Device>>& into) {
  const auto* entry = get_member(document, role);
  if (entry == nullptr) return {};
  auto read = read_entry(*entry, role, place, drivers);
  if (!read) return fail(read.error());
  into = std::move(*read);
  return {};
}

Result<void> read_sensor(const json& document, const Place& place, DeviceFile& file) {
  const auto* tactile = get_member(document, "tactile");
  const auto* sensor = tactile != nullptr ? get_member(*tactile, "sensor") : nullptr;
  if (sensor == nullptr) return {};
  const auto where = place.where + ": tactile: sensor";
  auto read = sensor->is_string() ? load_sensor(sensor->get<std::string>())
                                  : parse_sensor(canonical(*sensor), where, true);
  if (!read) return fail(read.error(), sensor->is_string() ? where : "");
  file.sensor = std::move(*read);
  return {};
}

}  // namespace

Result<DeviceFile> parse_device_file(std::string_view json_text, std::string_view where,
                                     const std::filesystem::path& folder) {
  const auto document = parse_json(json_text, where);
  if (!document) return fail(document.error());
  if (auto format = check_format(*document, "tactelier/devices", 1, where); !format)
    return fail(format.error());
  if (auto valid = check_schema(*document, "devices", where); !valid) return fail(valid.error());
  const Place place{std::string(where), folder};
  DeviceFile file;
  file.time_scale = get_number(*document, "time_scale").value_or(1);
  if (const auto* control = get_member(*document, "bench_control"))
    file.bench_control = control->get<std::string>();
  if (const auto* clock = get_member(*document, "bench_clock"))
    file.bench_clock = clock->get<std::string>();
  auto read = read_role(*document, "stage", place, stage_drivers(), file.stage)
                  .and_then([&] {
                    return read_role(*document, "force", place, force_drivers(), file.force);
                  })
                  .and_then([&] {
                    return read_role(*document, "tactile", place, tactile_drivers(), file.tactile);
                  })
                  .and_then([&] { return read_sensor(*document, place, file); });
  if (!read) return fail(read.error());
  if (const auto* aux = get_member(*document, "aux"))
    for (const auto& entry : *aux) {
      auto gauge = read_entry(entry, "aux", place, gauge_drivers());
      if (!gauge) return fail(gauge.error());
      file.aux.push_back(std::move(*gauge));
    }
  file.document = canonical(*document);
  return file;
}

Result<DeviceFile> load_device_file(const std::filesystem::path& path) {
  return read_text_file(path, kMaxBytes).and_then([&](const std::string& text) {
    return parse_device_file(text, path.string(), path.parent_path());
  });
}

DeviceConnections::DeviceConnections(const DeviceFile& file, AskOperator ask_operator)
    : file_(file) {
  context_.connect = system_connector();
  context_.clock = &steady_host_clock();
  context_.ask_operator = std::move(ask_operator);
  context_.replays = std::make_shared<ReplayCache>();
  context_.timeout_scale = std::max(1.0, file.time_scale);
  WorldClock* world = nullptr;
  if (file.bench_clock) {
    // A bench that is gone has no devices either: opening one says so.
    if (auto shared = WorldTime::open(*file.bench_clock)) world_ = std::move(*shared);
    world = world_.get();
  }
  if (world == nullptr && file.time_scale != 1) {
    scaled_ = std::make_unique<ScaledClock>(file.time_scale);
    world = scaled_.get();
  }
  if (world == nullptr) return;
  context_.connect = time_scaled(std::move(context_.connect), *world);
  context_.clock = world;
}

namespace {

template <class Device>
Result<std::unique_ptr<Device>> open(const std::optional<DeviceEntry<Device>>& entry,
                                     const char* role, const OpenContext& context) {
  if (!entry) return fail(ErrorCode::kUsage, "the device file names no {}", role);
  return entry->driver->open(entry->options, context);
}

}  // namespace

Result<std::unique_ptr<MotionStage>> DeviceConnections::open_stage() const {
  return open(file_.stage, "stage", context_);
}

Result<std::unique_ptr<ForceSensor>> DeviceConnections::open_force() const {
  return open(file_.force, "force sensor", context_);
}

Result<std::unique_ptr<TactileArray>> DeviceConnections::open_tactile() const {
  auto array = open(file_.tactile, "tactile array", context_);
  if (!array || !file_.sensor) return array;
  const auto& shape = (*array)->shape();
  const auto& sensor = *file_.sensor;
  if (shape.rows * shape.columns == sensor.tactels() && shape.channels == sensor.channels)
    return array;
  return fail(ErrorCode::kInvalidInput,
              "{}: the array that answers has {} x {} tactels of {} channels, sensor '{}' has {} "
              "of {}: is it the right port?",
              file_.tactile->options.where(), shape.rows, shape.columns, shape.channels,
              sensor.name.empty() ? sensor.model : sensor.name, sensor.tactels(), sensor.channels);
}

Result<std::unique_ptr<LengthGauge>> DeviceConnections::open_gauge(std::size_t index) const {
  const auto& entry = file_.aux[index];
  return entry.driver->open(entry.options, context_);
}

}  // namespace tactelier::devices
