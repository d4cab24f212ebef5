#pragma once
// Judges every sample before it is recorded. Pure: knows no wire and no clock, so that a test can
// hand it anything. Who owns it sends the stop (live_rig.hpp).

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "devices/interface/motion_stage.hpp"
#include "devices/supervision/air_guard.hpp"
#include "devices/supervision/frozen_watch.hpp"
#include "devices/supervision/limits.hpp"

namespace tactelier::rig {

struct Trip {
  LimitKind kind{};
  TripAction action{};
  double value = 0;  // SI, as the limit's
  double limit = 0;
  std::int64_t host_time_ns = 0;
  std::string text;  // "pad force 3.12 N, limit 3 N"

  bool hard() const { return action != TripAction::kRetract; }
};

/// What the contact is, as whoever moves the stage knows it.
struct ContactState {
  bool touching = false;          // on the way into, in, or out of a contact
  bool on_pad = false;            // pad limits count
  double pressure_per_N = 0;      // Pa per newton under this tip
  double surface_z_m = 0;         // stage frame, at the tip's place
  double compliance_m_per_N = 0;  // the rig's own compliance
  std::int64_t since_ns = 0;      // when it began
};

/// Any thread; each stream from one thread.
class Supervisor {
 public:
  Supervisor(const SafetyLimits& limits, const devices::ForceScale& scale);

  /// `pad_N`: tared, along the pressing axis, not smoothed.
  std::optional<Trip> see(const devices::ForceSample& sample, double pad_N);
  std::optional<Trip> see(const devices::StageSample& sample, const devices::StageTravel& travel);
  void see_frame(std::int64_t host_time_ns);

  /// Somebody ought to have heard of each stream lately. `moving`: ages count.
  std::optional<Trip> check_ages(std::int64_t now_ns);

  /// Ages count from now on. Not while a stage homes: it is silent then.
  void watch_ages(bool on, std::int64_t now_ns);
  void set_contact(const ContactState& contact);

  /// Through air nothing may be felt, in any direction. `confirmed`: this tip has been there.
  void watch_air(AirWatch watch, bool confirmed);
  /// Of all three axes, in the force sensor's frame. Without one nothing is judged in air.
  /// `noise_N`: of single samples at rest, the noisiest axis.
  void set_air_zero(const std::array<double, 3>& zero_N, double noise_N = 0);
  void forget_air_zero();
  bool air_zero_known() const;

  /// The newest force is young enough to move by, and says that it means something.
  bool force_live(std::int64_t now_ns) const;
  /// Why a lock can't be taken back yet: "the force sensor has said nothing for 1.2 s". Nothing
  /// when every cause that lasts is gone.
  std::optional<std::string> waits_for(std::int64_t now_ns) const;
  const SafetyLimits& limits() const { return limits_; }

 private:
  /// Measured; of a sensor without torque axes its forces, as if they act on the tip.
  double torque_at_sensor_Nm(const std::array<double, 6>& wrench) const;
  std::optional<Trip> check_wrench(const devices::ForceSample& sample) const;
  std::optional<Trip> check_pad(double pad_N, std::int64_t time_ns);
  std::optional<Trip> check_air(std::int64_t time_ns);
  std::optional<Trip> check_axis(double pad_N, std::int64_t time_ns);

  SafetyLimits limits_;
  devices::ForceScale scale_;
  mutable std::mutex mutex_;
  ContactState contact_;
  bool watching_ = false;
  std::int64_t force_ns_ = 0, frame_ns_ = 0, stage_ns_ = 0;  // or when watching began
  std::int64_t force_heard_ns_ = 0, frame_heard_ns_ = 0;
  bool frames_expected_ = false;
  /// By record number and rate, from the first record.
  std::int64_t sensor_time_ns(const devices::ForceSample& sample);

  FrozenWatch frozen_;
  AirGuard air_;
  std::int64_t record_ = 0, sensor_ns_ = 0;
  AirWatch air_watch_ = AirWatch::kOff;
  bool air_confirmed_ = false;
  bool along_felt_ = false;  // in this contact, along the pressing axis
  bool force_valid_ = false;
  double load_ = 0;
  int over_ = 0, air_over_ = 0;
  double pad_N_ = 0;
};

}  // namespace tactelier::rig
