#pragma once
// A device without hardware: bytes in, bytes out, on a time that somebody else runs. It does not
// know whether it sits behind a pseudo-terminal, a socket (emulator_host.hpp) or in the same
// process as its driver (simulated_world.hpp).

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "devices/emulator/fault.hpp"
#include "devices/link/link.hpp"

namespace tactelier::devices {

/// What leaves the device: a datagram, or a piece of its byte stream.
struct Outgoing {
  std::int64_t due_ns = 0;  // when its last byte is on the wire
  int peer = 0;             // whom it is for, as receive() was given it; 0: whoever is on the wire
  Bytes bytes;
  bool close = false;  // the device ends this connection afterwards
};

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

class Emulator {
 public:
  virtual ~Emulator() = default;

  /// A datagram, or bytes of a stream, from a host. After run_until(now_ns).
  virtual void receive(ByteView bytes, int peer, std::int64_t now_ns) = 0;

  /// Lives until now; what it says on the way waits to be taken.
  virtual void run_until(std::int64_t now_ns) = 0;

  /// When something happens next, or kNever.
  virtual std::int64_t next_ns() const = 0;

  /// The next message whose time has come.
  virtual std::optional<Outgoing> take(std::int64_t now_ns) = 0;

  virtual void inject(const Fault& fault, std::int64_t now_ns) = 0;
  /// Those that are not over; and their end.
  virtual std::vector<PendingFault> faults(std::int64_t) const { return {}; }
  virtual void mend() {}

  /// Whether the wire has been unplugged.
  virtual bool hung_up(std::int64_t now_ns) = 0;
};

}  // namespace tactelier::devices
