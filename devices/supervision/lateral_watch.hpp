#pragma once
// What the force sensor feels that a straight press does not explain: a side load (the tip leans on
// an edge, the rig is askew), and knocks against the rig, which may have moved the pad.

#include <array>
#include <cstddef>
#include <optional>

namespace tactelier::rig {

class LateralWatch {
 public:
  LateralWatch(std::size_t press_axis, double rate_hz);

  /// Each sample, in the force sensor's axes. `in_air`: nothing may be felt; what comes slowly is
  /// drift.
  void see(const std::array<double, 3>& force_N, bool in_air);

  /// Along and across the pressing axis, the most since begin_press().
  double press_N() const { return press_N_; }
  double side_N() const { return side_N_; }
  /// What the sensor reads in the air, all axes; empty until it has been there.
  std::optional<std::array<double, 3>> zero_N() const {
    return zero_known_ ? std::optional(zero_N_) : std::nullopt;
  }
  void begin_press() { press_N_ = side_N_ = 0; }
  /// More than 0.3 N in the air, in any direction, or noted; until it is forgotten.
  bool collided() const { return collided_; }
  void forget_collision() { collided_ = false; }
  /// Somebody else felt it: a limit of force in the air, which is lower.
  void note_collision() { collided_ = true; }

 private:
  std::size_t press_axis_;
  double smooth_, drift_;  // shares of a new sample
  std::array<double, 3> mean_N_{}, zero_N_{};
  bool begun_ = false, zero_known_ = false;
  double press_N_ = 0, side_N_ = 0;
  bool collided_ = false;
};

}  // namespace tactelier::rig
