#include "devices/acquisition/rig_readings.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "libcalib/sensor/normal_channel.hpp"

namespace tactelier::rig {
namespace {

constexpr double kLatencyFades = 0.999;  // per batch: the worst of late, not of ever

}  // namespace

RigReadings::RigReadings(const PressAxis& press_axis, const SensorDescription& sensor,
                         const devices::ForceScale& scale, double rate_hz)
    : press_axis_(press_axis),
      channels_(sensor.channels),
      rising_(sensor.falling ? -1 : 1),
      scale_(scale),
      lateral_watch_(press_axis.index, rate_hz) {}

RigReading RigReadings::latest() const {
  const std::lock_guard lock(mutex_);
  return latest_;
}

double RigReadings::on_pad_N(const std::array<double, 6>& wrench_SI) const {
  const std::lock_guard lock(mutex_);
  return raw_N(wrench_SI) - force_watch_.bias_N();
}

void RigReadings::take_force(std::int64_t time_ns, const std::array<double, 6>& wrench_SI,
                             double pad_N, bool free_air) {
  const std::lock_guard lock(mutex_);
  force_watch_.see(raw_N(wrench_SI), free_air);
  lateral_watch_.see({wrench_SI[0], wrench_SI[1], wrench_SI[2]}, expect_air_);
  latest_.press_N = lateral_watch_.press_N();
  latest_.side_N = lateral_watch_.side_N();
  latest_.collided = lateral_watch_.collided();
  latest_.zero_N = lateral_watch_.zero_N();
  latest_.force_N = force_watch_.force_N();
  latest_.raw_N = raw_N(wrench_SI);
  latest_.bias_N = force_watch_.bias_N();
  latest_.tared = force_watch_.tared();
  latest_.peak_N = std::max(latest_.peak_N, pad_N);
  latest_.sensor_load = devices::combined_load(wrench_SI, scale_);
  latest_.torque_Nm = std::hypot(wrench_SI[3], wrench_SI[4], wrench_SI[5]);
  latest_.force_ns = time_ns;
  ++latest_.force_samples;
  if (!sums_) return;
  ++sums_->samples;
  for (std::size_t axis = 0; axis < 6; ++axis) {
    sums_->sum[axis] += wrench_SI[axis];
    sums_->squares[axis] += wrench_SI[axis] * wrench_SI[axis];
  }
}

void RigReadings::take_frame(const devices::TactileFrame& frame) {
  const std::lock_guard lock(mutex_);
  latest_.counts = frame.counts;
  latest_.frame_ns = frame.host_time_ns;
  ++latest_.frames;
  if (watched_tactel_) {
    const auto index =
        static_cast<std::size_t>(*watched_tactel_ * channels_) + normal_channel(channels_);
    if (index < frame.counts.size())
      saturation_.see(rising_ * frame.counts[index], force_watch_.force_N());
    latest_.saturated = saturation_.saturated();
  }
  if (!sums_) return;
  sums_->counts.resize(frame.counts.size());
  ++sums_->frames;
  for (std::size_t i = 0; i < frame.counts.size(); ++i) sums_->counts[i] += frame.counts[i];
}

void RigReadings::take_stage(const devices::StageSample& sample) {
  const std::lock_guard lock(mutex_);
  latest_.stage = sample;
}

void RigReadings::trust_stage(bool trusted) {
  const std::lock_guard lock(mutex_);
  latest_.stage.trusted = trusted;
}

void RigReadings::count_force(const devices::StreamCounters& counters,
                              std::optional<double> latency_s) {
  const std::lock_guard lock(mutex_);
  latest_.force = counters;
  if (latency_s) latest_.latency_s = std::max(kLatencyFades * latest_.latency_s, *latency_s);
}

void RigReadings::count_array(const devices::StreamCounters& counters) {
  const std::lock_guard lock(mutex_);
  latest_.array = counters;
}

void RigReadings::count_encoder(const devices::StreamCounters& counters) {
  const std::lock_guard lock(mutex_);
  latest_.encoder = counters;
}

void RigReadings::watch_tactel(std::optional<int> tactel) {
  const std::lock_guard lock(mutex_);
  watched_tactel_ = tactel;
  saturation_.restart();
  latest_.saturated = false;
}

void RigReadings::reset_peak() {
  const std::lock_guard lock(mutex_);
  latest_.peak_N = 0;
}

void RigReadings::set_pace(const std::optional<Pace>& pace) {
  const std::lock_guard lock(mutex_);
  latest_.pace = pace;
}

void RigReadings::note_collision() {
  const std::lock_guard lock(mutex_);
  lateral_watch_.note_collision();
  latest_.collided = true;
}

void RigReadings::forget_collision() {
  const std::lock_guard lock(mutex_);
  lateral_watch_.forget_collision();
  latest_.collided = false;
}

void RigReadings::begin_press() {
  const std::lock_guard lock(mutex_);
  lateral_watch_.begin_press();
  latest_.press_N = latest_.side_N = 0;
}

void RigReadings::begin_mean() {
  const std::lock_guard lock(mutex_);
  sums_.emplace();
}

bool RigReadings::mean_begun(bool frames) const {
  const std::lock_guard lock(mutex_);
  return sums_ && sums_->samples > 0 && (!frames || sums_->frames > 0);
}

QuietMean RigReadings::end_mean() {
  Sums sums;
  {
    const std::lock_guard lock(mutex_);
    sums = std::exchange(sums_, std::nullopt).value_or(Sums{});
  }
  QuietMean mean;
  mean.force_samples = sums.samples;
  mean.frames = sums.frames;
  if (sums.samples > 0)
    for (std::size_t axis = 0; axis < 6; ++axis) {
      const double mu = sums.sum[axis] / sums.samples;
      mean.wrench_SI[axis] = mu;
      mean.wrench_sd_SI[axis] =
          std::sqrt(std::max(0.0, sums.squares[axis] / sums.samples - mu * mu));
    }
  for (const double sum : sums.counts) mean.counts.push_back(sum / std::max(1, sums.frames));
  return mean;
}

}  // namespace tactelier::rig
