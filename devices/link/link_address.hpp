#pragma once
// Which device a URL leads to, whatever it is called: two device files may name one device by a
// symbolic link, a host's name or other settings.

#include <string>
#include <string_view>

#include "libcalib/result.hpp"

namespace tactelier::devices {

/// "/dev/ttyUSB0" for serial ports and pseudo-terminals, "udp:192.168.1.1:49152" for hosts, whose
/// names are looked up by the system, "can:can0" for interfaces; what can't be looked up stays as
/// it is. Fails with kUsage for what is no URL.
Result<std::string> link_address(std::string_view url);

}  // namespace tactelier::devices
