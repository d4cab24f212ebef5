#pragma once
// What a description says of a force sensor beside its frames: what readings are worth, how far it
// is calibrated, and its status word.

#include <array>
#include <string>
#include <vector>

#include "devices/framed/frame_field.hpp"

namespace tactelier::devices {

/// Six readings r into a wrench: w = M r. The sensor's own zero is left to the tare.
struct WrenchReadings {
  /// Fx, Fy, Fz [N], Tx, Ty, Tz [N*m] per reading; rows are axes, columns readings.
  std::array<std::array<double, 6>, 6> SI_per_reading{};
  std::array<double, 6> full_scale_SI{};  // calibrated range, +-; 0: stated in the device file

  bool knows_range() const { return full_scale_SI[0] > 0; }
  /// Each reading is an axis of its own.
  bool diagonal() const;
};

struct StatusBit {
  std::uint32_t mask = 0;
  std::string means;
  bool usable = false;     // the readings mean something although it is set
  bool saturated = false;  // set at the end of the range
};

/// A word that is `healthy` when all is well. Readings beside any other bits can't be used, unless
/// the description says that these leave them whole: what a bit means that nobody documented,
/// nobody knows.
struct StatusWord {
  FrameField field;
  std::uint32_t healthy = 0;
  std::vector<StatusBit> bits;

  bool usable(std::uint32_t word) const;
  /// "measuring range exceeded; bits 0x0100, which its description doesn't name"; empty when
  /// healthy.
  std::string describe(std::uint32_t word) const;
};

}  // namespace tactelier::devices
