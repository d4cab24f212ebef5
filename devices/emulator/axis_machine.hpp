#pragma once
// One motor of a controller whose axes go each by themselves: trapezoidal speeds, a target that may
// be replaced under way, a stop that decelerates and one that doesn't. Own kinematics, shared with
// nothing that plans ways. In the controller's counts.

#include <cstdint>

namespace tactelier::devices {

class AxisMachine {
 public:
  void start(std::int64_t now_ns) { now_ns_ = now_ns; }
  void run_until(std::int64_t now_ns);
  /// When the picture changes next; kNever at rest.
  std::int64_t next_ns() const;

  /// On from whatever it does; speed in counts/s, acceleration in counts/s^2.
  void go(double target, double speed, double acceleration);
  void stop(double deceleration);
  void halt();
  bool moving() const { return moving_; }

  double position() const { return position_; }
  void place(double position) { position_ = target_ = position; }

 private:
  void step(double dt_s);

  std::int64_t now_ns_ = 0;
  double position_ = 0, velocity_ = 0, target_ = 0, speed_ = 0, acceleration_ = 0;
  bool moving_ = false, stopping_ = false;
};

}  // namespace tactelier::devices
