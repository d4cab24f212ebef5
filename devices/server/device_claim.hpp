#pragma once
// Whose the devices are. A force sensor streams to whoever asked it last: a second program that
// only wants to look would take the stream from the rig process that supervises and records by it.
// So whoever opens devices claims them first, by their links' addresses, whatever its device file
// is called. A claim is a lock of the system (flock) on a file per address in the user's runtime
// folder, which says whose it is; it is gone with its process, however that ends.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "devices/link/descriptor.hpp"
#include "devices/registry/device_file.hpp"

namespace tactelier::rig {

struct Claimant {
  std::string what;                   // "the rig process", "'tactelier devices test'"
  std::filesystem::path device_file;  // may be empty
  std::filesystem::path socket;       // of a rig process
};

class DeviceClaim {
 public:
  /// Fails with kIo when somebody has one of them and keeps it for longer than two seconds, saying
  /// who, what for and what to do.
  static Result<DeviceClaim> take(const devices::DeviceFile& file, const Claimant& who);
  static Result<DeviceClaim> take(std::span<const std::string> urls, const Claimant& who);

 private:
  std::vector<devices::Descriptor> locks_;
};

}  // namespace tactelier::rig
