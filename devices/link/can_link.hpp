#pragma once
// CAN by an interface of Linux (SocketCAN): each message of the link is one `struct can_frame`, 16
// bytes. Speed and state are the interface's: `ip link set can0 up type can bitrate 1000000`.

#include <memory>
#include <string>

#include "devices/link/link.hpp"
#include "devices/link/link_url.hpp"

namespace tactelier::devices {

/// Fails with kIo, and what helps, where the kernel has no CAN, or no such interface that is up.
Result<std::unique_ptr<Link>> connect_can(const LinkUrl& link, const std::string& url);

}  // namespace tactelier::devices
