#pragma once
// Weiss Robotics WTS tactile transducers: commands and what they answer; frames, readings and
// status words are those of weiss_frame.hpp. Source: WTS Command Set Reference Manual (March 2013);
// RLE and defects of other drivers: ksatyaki/wts_driver, CNCR-NTU/wts-ft.

#include "devices/weiss/weiss_frame.hpp"

namespace tactelier::devices {

enum class WtsCommand : std::uint8_t {
  kFrame = 0x00,  // from the device, unasked
  kLoop = 0x06,
  kSingleFrame = 0x20,
  kStartPeriodic = 0x21,
  kStopPeriodic = 0x22,
  kTare = 0x23,
  kMatrixInfo = 0x30,
  kSetThreshold = 0x34,
  kGetThreshold = 0x35,
  kSetGain = 0x36,
  kGetGain = 0x37,
  kSensorType = 0x38,
  kTemperature = 0x46,
  kSystemInfo = 0x50,
  kGetTag = 0x52,
};

constexpr std::uint16_t kWtsCommandUnknown = 14;

using WtsFrame = WeissFrame<WtsCommand>;
using WtsFrameFinder = WeissFrameFinderOf<WtsCommand, WeissDialect::kWts>;

inline Bytes encode(const WtsFrame& frame) {
  return encode_weiss_frame(WeissDialect::kWts, static_cast<std::uint8_t>(frame.id), frame.payload);
}

struct WtsMatrix {
  int columns = 0, rows = 0;
  double pitch_x_m = 0, pitch_y_m = 0;
  int full_scale = 4095;
};

/// Payload of the reply to kMatrixInfo, after its status. Fails with kProtocol on a length or a
/// shape that can't be.
Result<WtsMatrix> decode_wts_matrix(ByteView payload);

}  // namespace tactelier::devices
