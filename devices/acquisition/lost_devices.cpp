#include "devices/acquisition/lost_devices.hpp"

#include <algorithm>
#include <vector>

namespace tactelier::rig {

void LostDevices::lost(DeviceRole role, std::string why) {
  const std::lock_guard lock(mutex_);
  if (!at(role)) at(role) = Lost{std::move(why), false};
}

bool LostDevices::is_lost(DeviceRole role) const {
  const std::lock_guard lock(mutex_);
  return lost_[static_cast<std::size_t>(role)].has_value();
}

bool LostDevices::wanted(DeviceRole role, devices::Timeout timeout) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, timeout, [&] { return at(role) && at(role)->asked; });
}

void LostDevices::tried(DeviceRole role, const Result<void>& opened) {
  const std::lock_guard lock(mutex_);
  if (opened)
    at(role).reset();
  else
    at(role) = Lost{opened.error().message, false};
  changed_.notify_all();
}

bool LostDevices::any() const {
  const std::lock_guard lock(mutex_);
  return std::any_of(lost_.begin(), lost_.end(), [](const auto& one) { return one.has_value(); });
}

bool LostDevices::any_asked() const {
  return std::any_of(lost_.begin(), lost_.end(), [](const auto& one) { return one && one->asked; });
}

Result<bool> LostDevices::bring_back(devices::Timeout timeout) {
  std::unique_lock lock(mutex_);
  bool any = false;
  for (auto& one : lost_)
    if (one) any = one->asked = true;
  if (!any) return false;
  changed_.notify_all();
  if (!changed_.wait_for(lock, timeout, [&] { return !any_asked(); }))
    return fail(ErrorCode::kTimeout,
                "a device that was lost is still being opened; acknowledge again in some seconds");
  std::vector<std::string> away;
  for (const auto& one : lost_)
    if (one) away.push_back(one->why);
  if (away.empty()) return true;
  return fail(ErrorCode::kDeviceFault,
              "the cause lasts: {}. Mend that (cable, power), then acknowledge again",
              fmt::join(away, "; "));
}

}  // namespace tactelier::rig
