#pragma once
// Weiss DSACON32-m controllers (DSA 9200, as in Schunk's SDH hand): commands and what they answer;
// frames, readings and status words are those of weiss_frame.hpp. A frame holds the cells of all
// matrices, one after the other (SDHLibrary-CPP, sdh/dsa.cpp: cDSA::GetTexel()).
//
// Source: ipab-slmc/SDHLibrary-CPP (sdh/dsa.h, sdh/dsa.cpp, sdh/crc.h), the client of the hand's
// maker, which was run against our emulator; ipa320/schunk_modular_robotics
// (schunk_sdh/ros/src/dsa_only.cpp). The maker's Command Set Reference Manual was not at hand.

#include "devices/weiss/weiss_frame.hpp"

namespace tactelier::devices {

/// cDSA's eDSAPacketID.
enum class DsaCommand : std::uint8_t {
  kFrame = 0x00,  // from the controller, unasked
  kControllerInfo = 0x01,
  kSensorInfo = 0x02,
  kAcquire = 0x03,
  kLoop = 0x06,
  kMatrixInfo = 0x0B,
  kAdjustSensitivity = 0x0F,
  kGetSensitivity = 0x12,
  kSetThreshold = 0x13,
  kGetThreshold = 0x14,
};

constexpr std::uint16_t kDsaCommandUnknown = 13;
/// From which on there are thresholds (cDSA::SetMatrixThreshold()).
constexpr int kDsaThresholdFirmware = 268;
/// Full frames a second, whatever is asked for (cDSA::SetFramerate()).
constexpr int kDsaFastest_hz = 30;
constexpr int kDsaFullScale = 4095;

using DsaFrame = WeissFrame<DsaCommand>;
using DsaFrameFinder = WeissFrameFinderOf<DsaCommand, WeissDialect::kDsa>;

inline Bytes encode(const DsaFrame& frame) {
  return encode_weiss_frame(WeissDialect::kDsa, static_cast<std::uint8_t>(frame.id), frame.payload);
}

/// Bits of the flags of kAcquire, kAdjustSensitivity and kSetThreshold (cDSA::SetFramerate(),
/// cDSA::SetMatrixSensitivity()).
constexpr std::uint8_t kDsaAcquires = 0x80, kDsaRunLengths = 0x01;
constexpr std::uint8_t kDsaPersistent = 0x80, kDsaAllMatrices = 0x02, kDsaReset = 0x01;

/// Payload of kAcquire: frames of their own accord, `rate_hz` of them a second; a firmware may send
/// 30 whatever is asked for (SDHLibrary-CPP, sdh/dsa.h: cDSA::SetFramerate(); its demo/demo-dsa.cpp
/// asks for 1 to get them). Rate 0 is one frame.
Bytes dsa_acquisition(bool run_lengths, int rate_hz);
/// No more frames, with the flags that cDSA::Open() sends.
Bytes dsa_end_of_acquisition();

/// Payloads for one matrix, until power is switched off. The bit that would store them isn't
/// offered: the memory bears 100 000 writes, and what it holds becomes the factory's value
/// (SDHLibrary-CPP, sdh/dsa.h: cDSA::SetMatrixSensitivity()).
Bytes dsa_sensitivity(int matrix, double sensitivity);  // 0 to 1
Bytes dsa_threshold(int matrix, int counts);            // 0 to 4095: less reads 0

struct DsaController {
  std::uint32_t serial_number = 0;
  int hardware = 0, firmware = 0;
};

/// Payload of the reply to kControllerInfo, after its status. cDSA declares 19 bytes with the
/// status and refuses all but 18 (cDSA::ReadControllerInfo()): what is behind the firmware is left
/// alone. Fails with kProtocol on fewer.
Result<DsaController> decode_dsa_controller(ByteView payload);

/// How many matrices there are: payload of the reply to kSensorInfo, after its status. Fails with
/// kProtocol on a length or a number that can't be.
Result<int> decode_dsa_matrix_count(ByteView payload);

struct DsaMatrix {
  int columns = 6, rows = 14;
  double texel_width_m = 3.4e-3, texel_height_m = 3.4e-3;
  double full_scale = kDsaFullScale;

  int cells() const { return columns * rows; }
};

/// Payload of the reply to kMatrixInfo, after its status. Fails with kProtocol on a length, a shape
/// or a size that can't be.
Result<DsaMatrix> decode_dsa_matrix(ByteView payload);
Bytes encode_dsa_matrix(const DsaMatrix& matrix);

}  // namespace tactelier::devices
