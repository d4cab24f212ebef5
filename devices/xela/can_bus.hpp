#pragma once
// A CAN bus at 1 Mbit/s, whatever leads to it: an adapter that speaks slcan, or an interface of
// Linux.

#include <memory>
#include <string>
#include <string_view>

#include "devices/link/connector.hpp"
#include "devices/xela/can_message.hpp"

namespace tactelier::devices {

class CanBus {
 public:
  virtual ~CanBus() = default;

  /// What has come is thrown away, what comes from now on is handed on.
  virtual Result<void> open() = 0;
  virtual Result<void> send(const CanMessage& message) = 0;
  /// Nothing is handed on any more.
  virtual Result<void> close() = 0;

  /// Waits until something has come; next() hands it on.
  virtual Result<void> listen(Timeout timeout) = 0;
  /// Messages with 29-bit ids, remote frames and what a bus says of its own state are left out.
  virtual std::optional<CanMessage> next() = 0;
  /// When what listen() brought last came; 0: nothing has.
  virtual std::int64_t heard_ns() const = 0;

  virtual const std::string& url() const = 0;
  virtual HostClock& clock() const = 0;
};

/// "can:can0" is an interface, all else leads to an adapter that speaks slcan; that one's channel
/// is closed and its speed set. Fails as `connect`, with kTimeout where nothing answers as an
/// adapter does, with kDeviceFault where it refuses.
Result<std::unique_ptr<CanBus>> open_can_bus(std::string_view url, const Connector& connect);

}  // namespace tactelier::devices
