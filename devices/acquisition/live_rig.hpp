#pragma once
// The devices of a rig at work, supervised and recorded as they are read.
//
// Threads: one reads the force sensor, judges each sample and, when a limit is passed, sends the
// stop byte itself, before the sample is recorded; one reads the array, one the encoder where there
// is one; one watches how old the newest samples are. What they say is kept by RigReadings, a limit
// that acted by TripLatch. The stage belongs to whoever calls pump(): one thread, which also moves
// it. A device whose wire is gone is let go of by the thread that owns it, and opened again by that
// thread when somebody acknowledges (LostDevices).
//
//   auto rig = LiveRig::open(device_file, rig_file);
//   (*rig)->pump(10ms);                       // listens to the stage; fails once a limit has acted
//   (*rig)->stage().move_to(...);

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "devices/acquisition/live_picture.hpp"
#include "devices/acquisition/live_recording.hpp"
#include "devices/acquisition/lost_devices.hpp"
#include "devices/acquisition/plugged_stage.hpp"
#include "devices/acquisition/rig_readings.hpp"
#include "devices/registry/device_file.hpp"
#include "devices/supervision/confirmed_air.hpp"
#include "devices/supervision/raw_zeros.hpp"
#include "devices/supervision/supervisor.hpp"
#include "devices/supervision/tare_history.hpp"
#include "devices/supervision/trip_latch.hpp"

namespace tactelier::rig {

class LiveRig {
 public:
  /// Connects to everything and begins to read. Fails as the drivers do, naming the role; nothing
  /// moves.
  static Result<std::unique_ptr<LiveRig>> open(devices::DeviceFile devices, RigFile rig);
  ~LiveRig();
  LiveRig(const LiveRig&) = delete;

  devices::HostClock& clock() const { return connections_->clock(); }
  const SensorDescription& sensor() const { return sensor_; }
  const devices::DeviceFile& devices_file() const { return devices_; }
  const SafetyLimits& limits() const { return supervisor_->limits(); }
  const StreamShapes& shapes() const { return shapes_; }
  /// What the sensors say right now.
  RigReading reading() const { return readings_->latest(); }
  RigReadings& readings() { return *readings_; }
  /// What a display shows; picked up without holding up anybody here.
  LivePicture& picture() { return picture_; }

  // ---- the thread that moves ----
  devices::MotionStage& stage() { return *stage_; }
  /// Listens to the stage for so long. Fails with kDeviceFault once a limit has acted, a device has
  /// failed or the recording has ended: then secure().
  Result<void> pump(devices::Timeout timeout);
  /// Of a virtual bench: its world waits for whoever calls this again and again, as long as `on`.
  void pace_world(bool on);
  /// MotionStage::stop_jog(), watched: a stage that goes on is reset.
  Result<void> stop_jog();
  /// After a trip: stops or aborts the stage as the trip demands; a soft one is over then, a hard
  /// one stays until acknowledge(). Does nothing without a trip.
  Result<void> secure();
  /// Ages of samples count while something may move.
  void watch_ages(bool on);
  void set_contact(const ContactState& contact) { supervisor_->set_contact(contact); }
  /// The tip touches nothing and rests: samples tell the bias. At its end the bias is held against
  /// the one before (tare_history.hpp); one that can't be believed is a trip.
  void in_free_air(bool yes);
  /// The first zero after homing or another tip, with nothing near the tip: half a second's mean.
  /// Fails with kDeviceFault where the raw zero jumped (raw_zeros.hpp): then nothing that was
  /// proved of the force sensor counts.
  Result<void> tare_at_top();
  /// The zero was never taken, or another tip has voided it.
  bool needs_tare() const { return !supervisor_->air_zero_known(); }
  /// The tip was taken off and put on again: the next way through air begins with a new zero.
  void forget_zero();
  /// Another tip is on, or the stage was homed: zero and confirmed air are void.
  void forget_tip();
  /// What is judged while the tip moves through air; RigMotion says it move by move.
  void watch_air(AirWatch watch, bool confirmed) { supervisor_->watch_air(watch, confirmed); }
  /// Where this tip has been; of the thread that moves.
  ConfirmedAir& air() { return air_; }
  /// The force is young enough to move towards something by (limits().live_force_s).
  bool force_live() const { return supervisor_->force_live(clock().now_ns()); }
  /// Means of what comes in the next while; listens to the stage meanwhile. `frames`: of the array,
  /// too, or of the force alone.
  Result<QuietMean> quiet_mean(double duration_s, bool frames = true);
  /// Of a mean: along the pressing axis, not tared.
  double pressing_N(const QuietMean& mean) const {
    return rig_.press_axis.sign * mean.wrench_SI[rig_.press_axis.index];
  }
  /// A feed hold, as by the STOP button; any thread.
  void press_stop();
  /// A feed hold because of what nobody foresaw; any thread.
  void lock_rig(const Error& why);

  std::optional<Trip> trip() const { return trips_.trip(); }
  /// TripLatch::trips().
  std::vector<Trip> trips() const { return trips_.trips(); }
  /// Takes back a hard trip; devices that were lost, or say nothing, are opened again first, which
  /// may take seconds.
  /// Fails with kDeviceFault, saying what it waits for, while its cause lasts. Any thread but the
  /// one that moves.
  Result<void> acknowledge();
  /// What acknowledge() would wait for; nothing when the cause is gone, or is a lost device that it
  /// would open. Any thread.
  std::optional<std::string> waits_for() const;
  /// How often the force sensor was connected: what was proved of it before counts nothing. Any
  /// thread.
  int force_connections() const { return force_connections_; }
  int soft_trips() const { return soft_trips_; }
  void forget_soft_trips() { soft_trips_ = 0; }

  // ---- recording ----
  /// From now on everything that is read goes there.
  Result<void> record_to(const std::filesystem::path& file, const SessionMetadata& metadata);
  /// Goes on with a recording that was cut off; `created` is what it says of its begin.
  Result<void> resume_recording(const std::filesystem::path& file, const std::string& created,
                                Warnings& warnings);
  /// Writes what is left and closes. Without a recording nothing.
  Result<void> end_recording();
  bool recording() const { return tap() != nullptr; }
  /// Of the recording; nothing without one. Now, or at a host time.
  void event(std::string_view name, std::string_view data);
  /// LiveRecording::moved().
  void moved(const Move& move, std::int64_t queued_ns, std::int64_t answered_ns,
             std::int64_t ends_ns);
  /// Leaves a recorded press out of every fit.
  void withdraw(int press);
  std::shared_ptr<LiveRecording> tap() const;

 private:
  LiveRig(devices::DeviceFile devices, RigFile rig);
  Result<void> connect();
  Result<void> connect_encoder();
  /// Host time when it was `created`, by the computer's clock.
  std::int64_t begin_of(std::chrono::system_clock::time_point created) const;
  void begin_recording(std::unique_ptr<LiveRecording> recording);
  /// A thread's whole life: what nobody foresaw in it locks the rig.
  void run_thread(const char* who, void (LiveRig::*life)(const std::stop_token&));
  void read_force(const std::stop_token& stop);
  void read_array(const std::stop_token& stop);
  void read_encoder(const std::stop_token& stop);
  void watch(const std::stop_token& stop);
  void take(const devices::ForceSample& sample);
  void take(const devices::TactileFrame& frame);
  void take(const devices::StageSample& sample);
  /// The first trip counts; sends the stop byte at once.
  void raise(const Trip& trip);
  void raise(LimitKind kind, const Error& error, TripAction action = TripAction::kStop);
  void note_trip(const Trip& trip);
  /// A stop that is late: the reset.
  void raise_late(const std::optional<std::string>& why);
  void see_stop(const devices::StageSample& report);
  bool only_unread(Trip& trip) const;
  double seconds_since(std::int64_t host_ns) const;
  /// Into the recording, where one is made; what it can't keep is a trip.
  template <class Sample>
  void record(const std::vector<Sample>& samples, StreamKind kind,
              const devices::StreamCounters& counters);
  /// What a read gave: a fault is a trip and the device is started anew; one whose wire is gone is
  /// lost.
  template <class Device>
  void look_after(DeviceRole role, const Result<void>& got, const std::shared_ptr<Device>& device);
  /// nullptr unless somebody wants it back and it is there.
  template <class Device, class Open>
  std::shared_ptr<Device> open_again(DeviceRole role, Plug<Device>& plug, Open reopen);
  Result<std::unique_ptr<devices::ForceSensor>> open_force_again() const;
  Result<std::unique_ptr<devices::TactileArray>> open_array_again() const;
  Result<std::unique_ptr<devices::LengthGauge>> open_encoder_again() const;
  void give_up_silent();
  /// In the thread that moves: where it was lost and somebody wants it back.
  void open_stage_again();
  /// Another force sensor may be there, or this one was off: its zero is void.
  void notice_new_force();
  /// Lines that run or wait end here, for the recording.
  void note_stopped(std::int64_t host_time_ns);
  /// After a touch in air: off what was touched, wherever the safe height may be.
  void raise_tip();

  devices::DeviceFile devices_;
  RigFile rig_;
  SensorDescription sensor_;
  std::unique_ptr<devices::DeviceConnections> connections_;
  std::unique_ptr<PluggedStage> stage_;
  Plug<devices::ForceSensor> force_;
  Plug<devices::TactileArray> array_;
  Plug<devices::LengthGauge> encoder_;  // where the device file has one
  LostDevices lost_;
  std::atomic<int> force_connections_{1}, stops_pressed_{0};
  int force_seen_ = 1;  // of the thread that moves
  std::unique_ptr<Supervisor> supervisor_;
  StreamShapes shapes_;

  std::unique_ptr<RigReadings> readings_;
  TripLatch trips_;

  mutable std::mutex mutex_;  // of what follows
  std::shared_ptr<LiveRecording> tap_;
  std::string stage_fault_;  // of the last pump

  TareHistory tares_;
  RawZeros raw_zeros_;
  ConfirmedAir air_;
  std::atomic<bool> free_air_{false};
  int soft_trips_ = 0;
  std::vector<devices::StageSample> stage_samples_;
  LivePicture picture_;
  std::vector<std::jthread> threads_;  // last: they use the rest
};

}  // namespace tactelier::rig
