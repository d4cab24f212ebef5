#pragma once
// ATI Net F/T, raw data transfer (RDT): UDP port 49152 of the box, most significant byte first, no
// padding. Source: ATI 9620-05 "Net F/T manual"; status bits also netft/netft-cpp status.cpp.
//
//   request, 8 bytes:  u16 0x1234 | u16 command | u32 sample count (0: until stopped)
//   record, 36 bytes:  u32 rdt_sequence | u32 ft_sequence | u32 status | i32 Fx Fy Fz Tx Ty Tz
//
// A buffered datagram is several records back to back, oldest first. rdt_sequence is 1 for the
// first record after a start and counts records; ft_sequence counts the box's internal samples
// since power-up. Both wrap after 0xFFFFFFFF. Nothing is ever retransmitted or acknowledged.
//
// OnRobot's HEX (OptoForce until 2018) speaks the same through its Ethernet DAQ or Compute Box, at
// the same port. In place of the count, set speed (0x0082) takes the milliseconds between records,
// and set filter (0x0081) an index. Counts are 10000 per N and 100000 per N*m, as the box is
// delivered; it has no page that tells them. What its status bits mean is not in these sources:
// 0 is healthy. Sources: the maker's example highspeed_udp.c ("1000 / SPEED = Speed in Hz",
// FORCE_DIV, TORQUE_DIV) and ROS driver etherdaq_driver.cpp, both as they lie in
// jsbyysheng/onrobot_hex_ft_sensor.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "devices/link/link.hpp"

namespace tactelier::devices {

enum class RdtCommand : std::uint16_t {
  kStop = 0x0000,
  kStart = 0x0002,
  kStartBuffered = 0x0003,
  kStartMultiUnit = 0x0004,
  kClearLatch = 0x0041,
  kBias = 0x0042,  // never sent by the driver: taring is done in software, where it can be undone
  kSetFilter = 0x0081,  // OnRobot; never sent by the driver
  kSetSpeed = 0x0082,   // OnRobot: count is the period in ms
};

constexpr std::size_t kRdtRequestSize = 8;
constexpr std::size_t kRdtRecordSize = 36;
constexpr std::size_t kMaxRdtRecords = 40;  // in one datagram

struct RdtRequest {
  RdtCommand command{};
  std::uint32_t count = 0;
};

struct RdtRecord {
  std::uint32_t rdt_sequence = 0;
  std::uint32_t ft_sequence = 0;
  std::uint32_t status = 0;
  std::array<std::int32_t, 6> counts{};  // Fx Fy Fz Tx Ty Tz

  bool operator==(const RdtRecord&) const = default;
};

Bytes encode(const RdtRequest& request);
/// Fails with kProtocol on anything but 8 bytes that begin with 12 34.
Result<RdtRequest> decode_rdt_request(ByteView datagram);

void append(Bytes& datagram, const RdtRecord& record);
/// Fails with kProtocol unless the datagram is 1 to 40 whole records.
Result<std::vector<RdtRecord>> decode_rdt_records(ByteView datagram);

constexpr std::uint32_t kRdtError = 1U << 31U;      // summary: something is set
constexpr std::uint32_t kRdtSaturated = 1U << 17U;  // transducer saturation or A/D error
constexpr std::uint32_t kRdtMonitor = 1U << 16U;    // monitor condition latched: a warning

/// Whether the wrench means something: no bit set that speaks of gages, converter, calibration or
/// processor. Trouble on the box's other buses, of its web page or a latched monitor condition
/// leaves the wrench valid.
bool rdt_wrench_is_valid(std::uint32_t status);

/// "transducer saturation or A/D error; internal temperature", empty when no bit is set.
std::string describe_rdt_status(std::uint32_t status);

}  // namespace tactelier::devices
