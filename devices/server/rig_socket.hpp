#pragma once
// Where a rig process listens, and lines of JSON through a Unix-domain socket.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "devices/link/descriptor.hpp"
#include "devices/registry/device_file.hpp"
#include "devices/server/runtime_folder.hpp"

namespace tactelier::rig {

/// The same for the same text on every run.
std::uint64_t name_hash(std::string_view text);

/// One place per stage: whoever names the same stage finds the same process.
std::filesystem::path socket_of(const devices::DeviceFile& devices);
/// All sockets of this user that are there; some may be left over.
std::vector<std::filesystem::path> known_sockets();

/// Fails with kIo when nobody listens, or where others could (runtime_folder.hpp).
Result<devices::Descriptor> connect_socket(const std::filesystem::path& path);
/// Fails with kIo when somebody listens there already; a left-over socket is replaced.
Result<devices::Descriptor> listen_socket(const std::filesystem::path& path);

/// What is said of a rig process that is gone, and how to go on.
Error process_has_ended();

/// JSON documents, one per line. Reading from one thread, writing under the caller's lock.
class JsonLines {
 public:
  explicit JsonLines(devices::Descriptor descriptor) : descriptor_(std::move(descriptor)) {}

  /// The next document; nothing within `timeout`: kTimeout; the other end gone: kIo. A line that is
  /// no JSON as libcalib/json_check.hpp takes it: kInvalidInput, and the next call reads the next
  /// line. One without an end within 8 MiB: kProtocol.
  Result<nlohmann::json> read(devices::Timeout timeout);
  /// Fails with kTimeout when the other end takes nothing for two seconds.
  Result<void> write(const nlohmann::json& document);
  /// The process at the other end of a Unix-domain socket; nothing where the system doesn't say.
  std::optional<int> peer_process() const;
  /// A write would not have to wait for the other end.
  bool writable() const;
  /// The connection, for something else than lines.
  devices::Descriptor take() { return std::move(descriptor_); }

 private:
  devices::Descriptor descriptor_;
  std::string pending_;
  std::size_t begin_ = 0, searched_ = 0;
};

}  // namespace tactelier::rig
