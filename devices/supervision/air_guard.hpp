#pragma once
// What the force sensor feels while the tip moves through air, where nothing may be felt: the
// length of the mean force of about 20 ms of all three axes over their zero. All axes, so that a
// wrong sign or axis in the rig file hides no contact.
//
//   limit = max(50 mN, 8 sigma) + 3 mN/min since the zero was last followed
//
// with sigma the scatter of that mean while the motors turn (3 times that at rest until it is
// known). The zero follows slow drift, but not on the way down: at 0.1 mm/s a soft pad adds force
// as slowly as a cable does. Pure; one thread.

#include <array>
#include <cstdint>

namespace tactelier::rig {

/// What the tip is doing, as whoever moves the stage knows it.
enum class AirWatch {
  kOff,        // a contact, a question to somebody at the rig: forces are expected
  kResting,    // in air, nothing moves: the zero follows
  kMoving,     // through air, not downwards: judged, the zero follows
  kDescending  // through air, downwards: judged against the zero as it was
};

class AirGuard {
 public:
  /// One sample after the other. `time_ns`: the sensor's own (its record number over its rate);
  /// arrivals come in bursts, of which the last sample would count for all.
  void see(const std::array<double, 3>& force_N, std::int64_t time_ns, AirWatch watch);

  /// The mean force of a rest in air is the zero. Until then nothing is judged.
  /// `noise_N`: of the mean, at rest, each axis.
  void set_zero(const std::array<double, 3>& zero_N, double noise_N = 0);
  void forget_zero() { zero_known_ = false; }
  bool zero_known() const { return zero_known_; }

  /// Mean force over the zero, sensor's axes.
  std::array<double, 3> felt_vector_N() const;
  double felt_N() const;
  /// Of the newest sample alone.
  double felt_at_once_N() const;
  double limit_N() const;
  /// Of the mean, each axis.
  double noise_N() const;

 private:
  void follow(double dt_s, AirWatch watch);

  std::array<double, 3> newest_N_{}, mean_N_{}, zero_N_{};
  double variance_resting_ = 0, variance_moving_ = 0;  // of the mean, N^2, each axis
  double moved_s_ = 0;                                 // of motion that told the variance
  std::int64_t time_ns_ = 0, zero_ns_ = 0;
  bool begun_ = false, zero_known_ = false;
};

}  // namespace tactelier::rig
