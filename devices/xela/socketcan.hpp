#pragma once
// CAN messages as Linux hands them over, `struct can_frame`, 16 bytes in this computer's order:
//
//   0  u32    id in bits 0 to 28; 29 an error of the bus, 30 a remote frame, 31 a 29-bit id
//   4  u8     number of data bytes | 3 bytes of no meaning here
//   8  u8[8]  data
// Source: Linux, Documentation/networking/can.rst, include/uapi/linux/can.h.

#include <optional>

#include "devices/xela/can_bus.hpp"

namespace tactelier::devices {

Bytes encode_socketcan(const CanMessage& message);

/// Nothing of what isn't a message of data with an 11-bit id.
std::optional<CanMessage> decode_socketcan(ByteView frame);

/// The bus behind a link each of whose messages is such a frame.
std::unique_ptr<CanBus> socketcan_bus(std::unique_ptr<Link> link);

}  // namespace tactelier::devices
