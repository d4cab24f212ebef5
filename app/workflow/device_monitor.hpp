#pragma once
// Connects to every device of a device file and keeps reading, a thread each, so that somebody can
// look at how they do. Nothing moves, and nothing is set that a device would keep; devices that
// somebody else uses, a rig process above all, are left alone (devices/server/device_claim.hpp).
//
//   DeviceMonitor monitor(std::move(file));
//   for (const auto& device : monitor.health()) ...

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workflow/device_health.hpp"
#include "devices/registry/device_file.hpp"
#include "devices/server/device_claim.hpp"
#include "libcalib/job.hpp"

namespace tactelier {

class DeviceWatch;

class DeviceMonitor {
 public:
  /// Begins to connect. A device that can't be opened says so in its health. `who`: as others are
  /// told.
  explicit DeviceMonitor(devices::DeviceFile file, std::string who = "a window's Bench page");
  /// Stops the streams; takes as long as the slowest device's timeout.
  ~DeviceMonitor();
  DeviceMonitor(const DeviceMonitor&) = delete;

  /// Why nothing was opened: somebody else uses a device of the file.
  std::optional<Error> refusal() const;
  /// In the order of the device file's roles. Safe from any thread.
  std::vector<DeviceHealth> health() const;
  /// The devices' time: to tell how old a sample is.
  std::int64_t now_ns() const;
  /// Nobody is connecting any more.
  bool settled() const;

 private:
  devices::DeviceFile file_;
  Result<rig::DeviceClaim> claim_;
  std::unique_ptr<devices::DeviceConnections> connections_;
  std::vector<std::unique_ptr<DeviceWatch>> watches_;
};

/// Watches for `seconds` of real time after the last device has answered or failed. Fails with
/// kCancelled; with kIo when somebody else uses one of the devices.
Result<std::vector<DeviceHealth>> test_devices(devices::DeviceFile file, double seconds,
                                               const Job& job);

}  // namespace tactelier
