#pragma once
// A device that may be unplugged and put back while other threads ask it something: whoever holds
// what get() gave keeps it as long as the question takes. A port is closed by its last holder, so
// that a device that is plugged in again finds its name free.

#include <memory>
#include <mutex>
#include <utility>

namespace tactelier::rig {

template <class Device>
class Plug {
 public:
  /// nullptr while it is unplugged.
  std::shared_ptr<Device> get() const {
    const std::lock_guard lock(mutex_);
    return device_;
  }
  void put(std::shared_ptr<Device> device) {
    const std::lock_guard lock(mutex_);
    device_.swap(device);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<Device> device_;
};

}  // namespace tactelier::rig
