#pragma once
// Judges every sample before it is recorded. Pure: knows no wire and no clock, so that a test can
// hand it anything. Who owns it sends the stop (live_rig.hpp).

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "devices/motion_stage.hpp"
#include "devices/rig/limits.hpp"

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
  bool touching = false;      // on the way into, in, or out of a contact
  bool on_pad = false;        // pad limits count
  double pressure_per_N = 0;  // Pa per newton under this tip
  double surface_z_m = 0;     // stage frame, at the tip's place
  double give_m_per_N = 0;    // the rig's own compliance
  std::int64_t since_ns = 0;  // when it began
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
  const SafetyLimits& limits() const { return limits_; }

 private:
  /// Measured; of a sensor without torque axes its forces, as if they act on the tip.
  double torque_at_sensor_Nm(const std::array<double, 6>& wrench) const;
  std::optional<Trip> check_wrench(const devices::ForceSample& sample) const;
  std::optional<Trip> check_pad(double pad_N, std::int64_t time_ns);
  bool frozen(const devices::ForceSample& sample);

  SafetyLimits limits_;
  devices::ForceScale scale_;
  mutable std::mutex mutex_;
  ContactState contact_;
  bool watching_ = false;
  std::int64_t force_ns_ = 0, frame_ns_ = 0, stage_ns_ = 0;
  bool frames_expected_ = false;
  std::array<std::int32_t, 6> last_counts_{};
  int equal_ = 0, over_ = 0;
  double pad_N_ = 0;
};

}  // namespace tactelier::rig
