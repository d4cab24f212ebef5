#pragma once
// Where a device is, as one line of text:
//
//   serial:/dev/ttyUSB0?baud=115200          a serial port; also data=7|8 parity=none|even|odd
//                                            stop=1|2 dtr=on|off rts=on|off
//   pty:/dev/pts/4                           a pseudo-terminal (an emulator's); same options
//   tcp:192.168.1.42:13000                   tcp:[fe80::1%eth0]:13000 for IPv6
//   udp:192.168.1.1:49152
//   can:can0                                 an interface of Linux (SocketCAN)

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "libcalib/result.hpp"

namespace tactelier::devices {

enum class LinkKind { kSerial, kPty, kTcp, kUdp, kCan };

enum class SerialParity { kNone, kEven, kOdd };

/// Character format and modem lines. No flow control: none of the supported devices has one.
struct SerialSettings {
  int baud = 115200;  // 50 .. 4 000 000, any number
  int data_bits = 8;
  SerialParity parity = SerialParity::kNone;
  int stop_bits = 1;
  std::optional<bool> dtr, rts;  // left as the system opens the port (both on) when not given
};

struct LinkUrl {
  LinkKind kind = LinkKind::kSerial;
  std::string path;        // serial, pty; can: the interface
  SerialSettings serial;   // serial, pty
  std::string host;        // tcp, udp: a name or an address
  std::uint16_t port = 0;  // tcp, udp
};

/// Fails with kUsage, naming the part of the URL, what was expected there, and the nearest word.
Result<LinkUrl> parse_link_url(std::string_view url);

}  // namespace tactelier::devices
