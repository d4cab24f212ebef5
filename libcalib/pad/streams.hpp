#pragma once
// When each stream's next sample falls due, and the two polls of a slow stage.

#include "libcalib/pad/pad.hpp"
#include "libcalib/pad/readout.hpp"
#include "libcalib/pad/stage_motion.hpp"

namespace tactelier::pad {

/// What samples are taken from: everything is linear between the ends of a step.
struct Instant {
  double t_s = 0;
  Wrench wrench{};
  double contact_N = 0;
  Vector3 reported_m{0, 0, 0};
  bool stepping = false;
};

class Streams {
 public:
  Streams(const PadTruth& truth, const Effects& effects, std::uint64_t seed);

  /// Appends the samples of the step from `before` (exclusive) to `after`.
  void sample(const Instant& before, const Instant& after, Readout& readout, PadOutput& output);

  /// Whether a row of the array is read before `t_s`.
  bool reads_before(double t_s) const { return next_row_s_ <= t_s; }
  double frame_s() const { return frame_s_; }
  const DeviceClock& force_clock() const { return force_clock_; }
  const DeviceClock& stage_clock() const { return stage_clock_; }
  const DeviceClock& tactile_clock() const { return tactile_clock_; }
  const ForceSensor& force_sensor() const { return force_sensor_; }

 private:
  void sample_force(const Instant& before, const Instant& after, PadOutput& output);
  void sample_stage(const Instant& before, const Instant& after, PadOutput& output);
  void sample_tactile(const Instant& before, const Instant& after, Readout& readout,
                      PadOutput& output);
  void next_poll();

  StageEffects stage_;
  double latency_s_ = 0;
  bool row_scan_ = false;
  double swing_K_ = 0;
  DeviceClock force_clock_, stage_clock_, tactile_clock_;
  ForceSensor force_sensor_;
  Random polls_;
  double force_s_ = 0, frame_s_ = 0;  // periods in true time
  std::int64_t force_count_ = 0;
  struct Poll {
    double request_s = 0, latch_s = 0, reply_s = 0;
  } poll_;
  std::int64_t poll_count_ = 0;
  std::int64_t frame_count_ = 0;
  std::size_t row_ = 0;
  double next_row_s_ = 0;
  struct Row {
    std::size_t first, last;  // tactels
  };
  std::vector<Row> rows_;
  std::vector<double> frame_;
  std::int64_t temperature_count_ = 0;
};

}  // namespace tactelier::pad
