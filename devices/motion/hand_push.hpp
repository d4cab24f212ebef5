#pragma once
// A push by hand proves that the force sensor is alive and that its axes and signs are what the rig
// file says, before anything goes down: a dead axis reads zero and looks like air.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "libcalib/result.hpp"
#include "libcalib/sensor/press_axis.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier::rig {

enum class Push {
  kUp,  // against the tip, as the pad will
  kX,   // the tip towards the stage's +x
  kY,
};

/// What to ask somebody to do.
std::string push_text(Push push);
/// About what that is in the stage's frame: for an operator who is a program.
Vector3 push_N(Push push);
std::string hang_text(double mass_kg);

/// How the force sensor's axes lie.
struct ForceAxes {
  PressAxis press_axis;
  /// The sensor's x, y turned onto the stage's; nothing while nobody has registered.
  std::optional<double> rz_rad;
};

/// `felt_N`: what the push added, in the force sensor's axes. Fails with kDeviceFault when nothing,
/// the wrong axis or the wrong sign was felt; across the pressing axis the sign isn't judged (a
/// sensor that hangs upside down turns one of them).
Result<void> judge_push(Push push, const std::array<double, 3>& felt_N, const ForceAxes& axes);

/// A known mass hung on the tip pulls it down with m g. Fails with kDeviceFault when the sensor
/// reads that in another axis, as a push, or by more than a tenth wrong: a unit, a full scale or a
/// calibration file that isn't this sensor's. (What is left below a tenth the certificate's weights
/// find; protocols' `weights`.)
Result<void> judge_weight(double mass_kg, const std::array<double, 3>& felt_N,
                          const ForceAxes& axes);

}  // namespace tactelier::rig
