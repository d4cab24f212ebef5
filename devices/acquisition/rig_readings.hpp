#pragma once
// What a rig's sensors say right now: the newest of each stream, and what is counted or averaged
// over them. The threads that read put samples in, anybody looks; every call takes one lock for as
// long as it needs to copy.

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "devices/interface/force_sensor.hpp"
#include "devices/interface/motion_stage.hpp"
#include "devices/interface/tactile_array.hpp"
#include "devices/supervision/lateral_watch.hpp"
#include "devices/supervision/limits.hpp"
#include "libcalib/protocol/force_watch.hpp"
#include "libcalib/protocol/saturation_watch.hpp"
#include "libcalib/sensor/press_axis.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier::rig {

struct RigReading {
  double force_N = 0;  // tared, smoothed, pressing positive
  double raw_N = 0;    // newest sample, not tared
  double bias_N = 0;
  bool tared = false;
  std::optional<std::array<double, 3>> zero_N;  // all axes in the air, not tared
  double peak_N = 0;                            // tared, not smoothed; since reset_peak()
  double sensor_load = 0;
  double torque_Nm = 0;
  double press_N = 0;     // along the pressing axis, the most since begin_press()
  double side_N = 0;      // across it
  bool collided = false;  // a knock in the air, since forget_collision()
  std::int64_t force_ns = 0, frame_ns = 0;
  std::int64_t force_samples = 0, frames = 0;
  devices::StreamCounters force, array, encoder;
  bool saturated = false;  // the watched tactel has stopped rising
  std::vector<double> counts;
  devices::StageSample stage;
  double latency_s = 0;  // of the supervisor: arrival of a sample to its verdict, the worst of late
  std::optional<Pace> pace;  // of the contact pressed last; nothing while nobody knows how stiff
};

/// A mean over a while, nothing moving.
struct QuietMean {
  std::array<double, 6> wrench_SI{}, wrench_sd_SI{};
  std::vector<double> counts;
  int force_samples = 0, frames = 0;
};

class RigReadings {
 public:
  /// `press_axis`: of the force sensor; `scale` and `rate_hz`: its own.
  RigReadings(const PressAxis& press_axis, const SensorDescription& sensor,
              const devices::ForceScale& scale, double rate_hz);

  RigReading latest() const;

  // ---- from the threads that read ----
  /// Pressing positive; minus the bias as it is known: what the pad feels.
  double raw_N(const std::array<double, 6>& wrench_SI) const {
    return press_axis_.sign * wrench_SI[press_axis_.index];
  }
  double on_pad_N(const std::array<double, 6>& wrench_SI) const;
  /// `pad_N`: what on_pad_N() said of it. `free_air`: the tip rests in the air, the bias is told.
  void take_force(std::int64_t time_ns, const std::array<double, 6>& wrench_SI, double pad_N,
                  bool free_air);
  void take_frame(const devices::TactileFrame& frame);
  void take_stage(const devices::StageSample& sample);
  /// The position may be void without a new sample.
  void trust_stage(bool trusted);
  void count_force(const devices::StreamCounters& counters, std::optional<double> latency_s);
  void count_array(const devices::StreamCounters& counters);
  void count_encoder(const devices::StreamCounters& counters);

  // ---- from the thread that moves ----
  /// Whose reading `saturated` watches, from this press on.
  void watch_tactel(std::optional<int> tactel);
  void reset_peak();
  /// To be looked at: nothing is judged by it.
  void set_pace(const std::optional<Pace>& pace);
  /// Nothing may be felt: a force is a knock.
  void expect_air(bool yes) { expect_air_ = yes; }
  /// Something was touched; whatever it was may have moved.
  void note_collision();
  void forget_collision();
  /// press_N and side_N count from now.
  void begin_press();

  void begin_mean();
  /// A sample has come since, and a frame where those are wanted.
  bool mean_begun(bool frames) const;
  /// Since begin_mean(); of no samples it holds zeros.
  QuietMean end_mean();

 private:
  struct Sums {
    std::array<double, 6> sum{}, squares{};
    std::vector<double> counts;
    int samples = 0, frames = 0;
  };

  PressAxis press_axis_;
  int channels_;
  double rising_;  // -1 where readings fall under load
  devices::ForceScale scale_;
  std::atomic<bool> expect_air_{false};

  mutable std::mutex mutex_;  // of what follows
  RigReading latest_;
  ForceWatch force_watch_;
  LateralWatch lateral_watch_;
  SaturationWatch saturation_;
  std::optional<int> watched_tactel_;
  std::optional<Sums> sums_;
};

}  // namespace tactelier::rig
