#pragma once
// ATI Net F/T, TCP command interface: port 49151 of the box, most significant byte first. It tells
// units and counts where the box's web page can't be had. Source: ATI 9620-05.
//
//   request, 20 bytes:  u8 command | ... | zeros
//     0 READFT          u8[15] 0 | u16 monitor conditions on | u16 bit 0 bias, bit 1 clear latch
//     1 READCALINFO
//     2 WRITETRANSFORM  u8 distance unit | u8 angle unit | i16 dx dy dz rx ry rz, each x 100
//     3 WRITETHRESHOLD  not used here
//   reply, begins with u16 0x1234:
//     READFT, 16 bytes       u16 upper half of the status word | i16 Fx Fy Fz Tx Ty Tz
//     READCALINFO, 24 bytes  u8 force unit | u8 torque unit | u32 counts per force
//                            | u32 counts per torque | u16 scale factors of Fx .. Tz
//     others, 4 bytes        u8 command | u8 result, 0: accepted
//
//   force = 16-bit count x scale factor / counts per force, in the force unit; torque likewise
//
// An RDT record holds the 32-bit counts, which need no scale factor.

#include <array>
#include <cstdint>
#include <string_view>

#include "devices/interface/force_sensor.hpp"
#include "devices/link/connector.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier::devices {

enum class NetFtCommand : std::uint8_t {
  kReadForce = 0,
  kReadCalibration = 1,
  kWriteTransform = 2,
  kWriteThreshold = 3,
};

constexpr std::size_t kNetFtRequestSize = 20;
constexpr std::size_t kNetFtReadingSize = 16;
constexpr std::size_t kNetFtCalibrationSize = 24;
constexpr std::size_t kNetFtAcknowledgeSize = 4;

/// Bits 0 and 1 of READFT's last number.
struct NetFtReadRequest {
  bool bias = false;  // never sent by the driver: taring is ours
  bool clear_latch = false;
};

struct NetFtReading {
  std::uint16_t status_high = 0;  // bits 31 .. 16 of the status word
  std::array<std::int16_t, 6> counts{};
};

struct NetFtCalibration {
  std::uint8_t force_unit = 2;   // 1 lbf, 2 N, 3 klbf, 4 kN, 5 kgf, 6 gf
  std::uint8_t torque_unit = 3;  // 1 lbf-in, 2 lbf-ft, 3 N-m, 4 N-mm, 5 kgf-cm, 6 kN-m
  std::uint32_t counts_per_force = 0;
  std::uint32_t counts_per_torque = 0;
  std::array<std::uint16_t, 6> scale_factors{};

  bool operator==(const NetFtCalibration&) const = default;
};

/// The box's own tool transform: its torques are about this point then, its axes turned so.
struct NetFtTransform {
  Vector3 move_m{};
  Vector3 turn_rad{};
};

Bytes encode(const NetFtReadRequest& request);
Bytes encode_read_calibration();
/// Millimetres and degrees, rounded to hundredths. Fails with kInvalidInput beyond what 16 bits
/// hold, +-327.67 of each.
Result<Bytes> encode(const NetFtTransform& transform);
Bytes encode(const NetFtReading& reading);
Bytes encode(const NetFtCalibration& calibration);
Bytes encode_acknowledge(NetFtCommand command, bool accepted);

/// Each fails with kProtocol on another size, another beginning, another command. Requests are 20
/// bytes whose first the caller has looked at.
Result<NetFtReadRequest> decode_read_request(ByteView request);
Result<NetFtTransform> decode_transform(ByteView request);
Result<NetFtReading> decode_reading(ByteView reply);
Result<NetFtCalibration> decode_calibration(ByteView reply);
/// Fails with kDeviceFault when the box refused.
Result<void> check_acknowledge(ByteView reply, NetFtCommand command);

/// What a count of an RDT record is worth; no ranges. Fails with kProtocol on a unit that the
/// manual doesn't have and on zero counts per unit.
Result<ForceScale> rdt_scale(const NetFtCalibration& calibration);
/// N, N*m. Fails as rdt_scale().
Result<std::array<double, 6>> wrench_SI(const NetFtReading& reading,
                                        const NetFtCalibration& calibration);

/// One connection, one request, its reply of `reply_size` bytes. Fails as the link does.
Result<Bytes> ask_netft(const Connector& connect, std::string_view url, ByteView request,
                        std::size_t reply_size, Timeout timeout);

}  // namespace tactelier::devices
