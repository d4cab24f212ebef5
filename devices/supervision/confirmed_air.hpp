#pragma once
// Where this tip has been since power-up without touching anything. No height in a file is trusted
// with speed: air that no guarded move has crossed is crossed at 1 mm/s at most, so that what the
// tip meets there is met gently.
//
// Kept by cells of 1 mm in x and y (stage frame): the lowest height that the tip has had over each.
// A height that was reached holds for all above it, and for a millimetre around, not for the cells
// beside. Within 2.5 mm of the upper end of z's travel, where the reference switches are, ways that
// don't lead down are the keep-out boxes' business. Everything is void after homing and with
// another tip. Pure; one thread.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "libcalib/protocol/pad_frame.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier::rig {

/// A piece of a straight way.
struct Stretch {
  Vector3 to_m{};
  bool confirmed = false;
};

class ConfirmedAir {
 public:
  /// `top_m`: upper end of z's travel, stage frame.
  void forget(double top_m);
  /// Of a way that doesn't lead down.
  bool confirmed(const Vector3& at_m) const;
  /// Sideways ways at that height and above are free.
  double free_above_m() const { return free_above_m_; }
  /// The tip went straight from one place to the other and felt nothing.
  void confirm(const Vector3& from_m, const Vector3& to_m);
  /// A surface was found by touches of this tip: what lies half a millimetre and more above it,
  /// over the array and a pitch around it, is free.
  void confirm_over(const PadFrame& frame, const SensorDescription& sensor);

  /// A straight way in pieces that are confirmed throughout or not at all; at least one.
  std::vector<Stretch> split(const Vector3& from_m, const Vector3& to_m) const;
  /// How much of a way is not confirmed.
  double unconfirmed_m(const Vector3& from_m, const Vector3& to_m) const;

 private:
  bool been_at(const Vector3& at_m) const;
  void lower(double x_m, double y_m, double z_m);

  std::unordered_map<std::int64_t, double> lowest_m_;  // by cell
  double free_above_m_ = 1e9;
};

}  // namespace tactelier::rig
