#pragma once
// What a running rig process shows of itself, frame by frame (devices/acquisition/live_frame.hpp):
// force, position and the array's readings. Looks on; nothing is asked of the rig.

#include <filesystem>
#include <optional>

#include "devices/acquisition/live_frame.hpp"
#include "devices/link/descriptor.hpp"

namespace tactelier {

class RigWatch {
 public:
  /// Of a device file; without one, of the only rig process of this user. Fails as running_rig().
  static Result<RigWatch> begin(const std::optional<std::filesystem::path>& devices);

  /// Waits for the next frame, some 60 come a second. Fails with kTimeout where none comes, with
  /// kIo once the rig process has ended.
  Result<rig::LiveFrame> next(devices::Timeout timeout);

 private:
  explicit RigWatch(devices::Descriptor socket) : socket_(std::move(socket)) {}
  /// What has come, within `timeout`.
  Result<std::string> receive(devices::Timeout timeout);

  devices::Descriptor socket_;
  rig::LiveFrameReader reader_;
};

}  // namespace tactelier
