#pragma once
// The device file (data/schemas/devices.schema.json): which driver plays which role, and how it is
// reached.
//
//   auto file = load_device_file("rig-devices.json");
//   DeviceConnections at(*file);
//   auto stage = at.open_stage();

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "devices/link/time_scaled.hpp"
#include "devices/link/world_time.hpp"
#include "devices/registry/registry.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier::devices {

template <class Device>
struct DeviceEntry {
  const Driver<Device>* driver = nullptr;
  DriverOptions options;
};

struct DeviceFile {
  double time_scale = 1;  // emulated devices run so many times faster than real ones
  std::optional<DeviceEntry<MotionStage>> stage;
  std::optional<DeviceEntry<ForceSensor>> force;
  std::optional<DeviceEntry<TactileArray>> tactile;
  std::vector<DeviceEntry<LengthGauge>> aux;
  std::optional<SensorDescription> sensor;   // of the tactile array
  std::optional<std::string> bench_control;  // where the virtual bench takes orders
  std::optional<std::string> bench_clock;    // its time (world_time.hpp)
  std::string document;                      // canonical JSON
};

/// Schema first, then each driver's own options. `folder`: where files that it names are looked
/// for. Messages name role and key.
Result<DeviceFile> parse_device_file(std::string_view json_text, std::string_view where,
                                     const std::filesystem::path& folder = {});
Result<DeviceFile> load_device_file(const std::filesystem::path& file);

/// Opens what a device file names, on the time that it says.
class DeviceConnections {
 public:
  explicit DeviceConnections(const DeviceFile& file, AskOperator ask_operator = {});

  /// Look only: nothing is written that a device would keep.
  void leave_settings_alone() { context_.change_settings = false; }

  /// Each fails with kUsage when the file has no such role, and as its driver does.
  Result<std::unique_ptr<MotionStage>> open_stage() const;
  Result<std::unique_ptr<ForceSensor>> open_force() const;
  /// Fails with kInvalidInput when the array hasn't the shape of the file's sensor.
  Result<std::unique_ptr<TactileArray>> open_tactile() const;
  Result<std::unique_ptr<LengthGauge>> open_gauge(std::size_t index) const;

  /// The devices' time.
  HostClock& clock() const { return *context_.clock; }
  /// Of a virtual bench that shares its own; else nullptr.
  WorldTime* world() const { return world_.get(); }

 private:
  const DeviceFile& file_;
  std::unique_ptr<ScaledClock> scaled_;
  std::unique_ptr<WorldTime> world_;
  OpenContext context_;
};

}  // namespace tactelier::devices
