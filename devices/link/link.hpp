#pragma once
// The wire to a device. A driver speaks through a Link and doesn't know whether bytes travel over a
// serial port, a pseudo-terminal, a TCP stream, UDP datagrams or to an emulator in the same
// process.
//
//   auto link = open_link("serial:/dev/ttyUSB0?baud=115200");
//   link->send(bytes("?"), 100ms);
//   auto got = link->receive(buffer, 100ms);   // got->size bytes, stamped when they arrived

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "devices/link/host_clock.hpp"
#include "libcalib/result.hpp"

namespace tactelier::devices {

using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;

inline ByteView view_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// What one call to receive() brought.
struct Received {
  std::size_t size = 0;           // bytes, at least 1 (a datagram may be empty)
  std::int64_t host_time_ns = 0;  // of the link's clock: when the kernel had the bytes (UDP), else
                                  // right after they were read
  std::uint32_t dropped = 0;      // datagrams that this host has lost so far (SO_RXQ_OVFL); wraps
};

class Link {
 public:
  virtual ~Link() = default;

  /// Waits until something has arrived and takes what is there, at most into.size() bytes; of a
  /// datagram link exactly one datagram. Fails with kTimeout when nothing came, and with kIo at
  /// once when the other end is gone. A datagram longer than `into` is kProtocol.
  virtual Result<Received> receive(std::span<std::uint8_t> into, Timeout timeout) = 0;

  /// Hands all bytes to the system; a datagram link sends them as one datagram. Fails with kTimeout
  /// when the other end takes no more (some may have gone), with kIo when it is gone.
  virtual Result<void> send(ByteView bytes, Timeout timeout) = 0;

  /// Something has arrived that receive() has not taken: it would not wait. Any thread.
  virtual bool readable() const { return false; }

  /// The URL it was opened by: the place in messages.
  virtual const std::string& url() const = 0;

  /// The clock of timeouts and stamps.
  virtual HostClock& clock() const = 0;
};

/// Opens by URL (link_url.hpp). Fails with kUsage on a URL that makes no sense, with kIo when the
/// system refuses (no such port, no permission, nobody listens), saying what helps, and with
/// kTimeout when a TCP connection isn't made in time.
Result<std::unique_ptr<Link>> open_link(std::string_view url, Timeout timeout = Timeout(2000));

/// Throws away whatever has arrived or arrives within `quiet` of the last byte, `most` in all.
/// Fails only when the link is gone.
Result<void> discard_input(Link& link, Timeout quiet, Timeout most);

}  // namespace tactelier::devices
