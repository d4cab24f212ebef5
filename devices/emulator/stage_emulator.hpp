#pragma once
// A stage's controller with its machine: what the bench moves the indenter by.

#include "devices/emulator/emulator.hpp"
#include "devices/emulator/grbl_machine.hpp"

namespace tactelier::devices {

class StageEmulator : public Emulator {
 public:
  /// Where the axes really are, from the controller's zero: differs from what is reported before
  /// homing and after lost steps.
  virtual Axes_mm true_position_mm() const = 0;
};

}  // namespace tactelier::devices
