#pragma once
// Devices whose wire is gone, and who wants them back. The thread that owns a device notes that it
// is lost and opens it again once somebody has asked; any thread asks, and learns what came of it.

#include <array>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>

#include "devices/link/host_clock.hpp"
#include "libcalib/result.hpp"

namespace tactelier::rig {

enum class DeviceRole { kForce, kArray, kEncoder, kStage };
constexpr std::size_t kDeviceRoles = 4;

class LostDevices {
 public:
  // ---- the thread that owns the device ----
  void lost(DeviceRole role, std::string why);
  bool is_lost(DeviceRole role) const;
  /// Somebody wants it back; waits so long for that.
  bool wanted(DeviceRole role, devices::Timeout timeout);
  /// What came of it: back, or why not.
  void tried(DeviceRole role, const Result<void>& opened);

  // ---- any thread ----
  bool any() const;
  /// Has every lost device opened again. False when none was lost. Fails with kDeviceFault, naming
  /// each that stays away, and with kTimeout when one takes longer.
  Result<bool> bring_back(devices::Timeout timeout);

 private:
  struct Lost {
    std::string why;
    bool asked = false;
  };
  std::optional<Lost>& at(DeviceRole role) { return lost_[static_cast<std::size_t>(role)]; }
  bool any_asked() const;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::array<std::optional<Lost>, kDeviceRoles> lost_;
};

}  // namespace tactelier::rig
