#pragma once
// Moves the tip along the ways of a plan (plan frame: pad_frame.hpp), one move at a time and each
// cancellable: a jog, of which the controller forgets the rest when it is told to. Everything waits
// by listening, so that limits act at any moment. One thread.
//
// Through air nothing may be felt (air_guard.hpp), and air that this tip has not been in is crossed
// at 1 mm/s at most (confirmed_air.hpp), or around over the top where that is sooner. Nothing moves
// but upwards without a live force.

#include <functional>
#include <stop_token>

#include "devices/acquisition/live_rig.hpp"
#include "libcalib/protocol/pad_frame.hpp"

namespace tactelier::rig {

enum class Path {
  kThroughAir,    // a force is a collision
  kInContact,     // straight up or down, where a force is expected
  kAlongSurface,  // sideways in contact
};

class RigMotion {
 public:
  using Condition = std::function<bool()>;

  /// Everything must outlive this. `stop`: whoever asks for an end; moves then brake and fail with
  /// kCancelled.
  RigMotion(LiveRig& live, const RigFile& rig, const SensorDescription& sensor,
            std::stop_token stop);

  /// Where the stage stood last, plan frame. Depth = surface z - z.
  Vector3 at_m() const;
  /// A height over the believed surface that XY moves keep.
  double safe_z_m() const { return rig_.stage.safe_height_m; }

  /// Straight, from rest to rest; speed limited to what the axes can. Refuses, without moving, what
  /// leaves the travel, enters a keep-out box, or goes sideways below the safe height (unless along
  /// the surface).
  Result<void> go(const Vector3& to_m, double speed_m_per_s, Path path = Path::kThroughAir);
  /// The same until `met`; true when it was met: the tip rests a little further on.
  Result<bool> go_until(const Vector3& to_m, double speed_m_per_s, const Condition& met,
                        Path path = Path::kThroughAir);
  /// Adds a move behind those that run; for oscillations.
  Result<void> queue(const Vector3& to_m, double speed_m_per_s);
  Result<void> settle();
  Result<bool> rest(double duration_s, const Condition& met = {});
  /// Straight up to the safe height (or where it is, when higher), whatever was asked for.
  Result<void> retreat();

  /// Whether a place of the stage frame lies in the stage's own travel; what is gone there in
  /// several ways asks this first.
  Result<void> check_travel(const Vector3& to_stage_m) const;
  double top_of_travel_m() const;

  double now_s() const { return static_cast<double>(live_.clock().now_ns()) * 1e-9; }
  /// How long a way takes, by speed and the axes' acceleration.
  double duration_s(const Vector3& from_m, const Vector3& to_m, double speed_m_per_s) const;
  const PadFrame& frame() const { return frame_; }

 private:
  Result<void> check(const Vector3& from_m, const Vector3& to_m, Path path) const;
  Result<void> know_place();
  Result<void> zero_at_top();
  Result<bool> through_air(const Vector3& to_stage_m, double speed_m_per_s, const Condition& met);
  Result<bool> leg(const Vector3& to_stage_m, double speed_m_per_s, const Condition& met);
  Result<bool> guarded(const Stretch& stretch, double speed_m_per_s, const Condition& met);
  /// Corners of the way that is soonest over: straight, or over the top.
  std::vector<Vector3> corners(const Vector3& to_stage_m, double speed_m_per_s) const;
  double crossing_s(const Vector3& from_m, const Vector3& to_m, double speed_m_per_s) const;
  double unconfirmed_speed_m_per_s() const;
  Result<void> send(const Vector3& to_stage_m, double speed_m_per_s);
  double possible_speed(const Vector3& from_m, const Vector3& to_m, double speed_m_per_s) const;
  double acceleration(const Vector3& from_m, const Vector3& to_m) const;
  Result<bool> wait(const Condition& met, bool cancellable);
  bool arrived() const;

  LiveRig& live_;
  const RigFile& rig_;
  PadFrame frame_;
  std::stop_token stop_;
  Vector3 commanded_m_{};  // stage frame
  bool commanded_known_ = false;
  std::int64_t done_ns_ = 0;  // when the last move is over, at the earliest
};

}  // namespace tactelier::rig
