// LiveRig: the threads that read, judge and watch.

#include <cmath>

#include "devices/acquisition/live_rig.hpp"
#include "devices/link/real_time_thread.hpp"
#include "devices/supervision/watch_pace.hpp"

namespace tactelier::rig {
namespace {

using devices::Timeout;

constexpr Timeout kForceRead{50};
constexpr Timeout kArrayRead{200};
constexpr std::int64_t kWatch_ns = 2'000'000;  // real time between two looks at the ages
constexpr int kWatchPriority = 30, kForcePriority = 20, kArrayPriority = 10;
constexpr double kLatencyFades = 0.999;  // per batch: the worst of late, not of ever

}  // namespace

void LiveRig::take(const devices::ForceSample& sample) {
  const auto wrench = force_->scale().wrench_SI(sample);
  const double raw_N = rig_.press_axis.sign * wrench[rig_.press_axis.index];
  double pad_N = raw_N;
  {
    const std::lock_guard lock(mutex_);
    pad_N -= force_watch_.bias_N();
  }
  if (const auto trip = supervisor_->see(sample, pad_N)) raise(*trip);
  std::optional<std::string> late;
  {
    const std::lock_guard lock(mutex_);
    late = stop_watch_.see_force(sample.host_time_ns, pad_N);
  }
  raise_late(late);
  picture_.see(sample.host_time_ns, wrench, pad_N);
  const std::lock_guard lock(mutex_);
  force_watch_.see(raw_N, free_air_);
  lateral_watch_.see({wrench[0], wrench[1], wrench[2]}, expect_air_);
  reading_.press_N = lateral_watch_.press_N();
  reading_.side_N = lateral_watch_.side_N();
  reading_.collided = lateral_watch_.collided();
  reading_.zero_N = lateral_watch_.zero_N();
  reading_.force_N = force_watch_.force_N();
  reading_.raw_N = raw_N;
  reading_.bias_N = force_watch_.bias_N();
  reading_.tared = force_watch_.tared();
  reading_.peak_N = std::max(reading_.peak_N, pad_N);
  reading_.sensor_load = devices::combined_load(wrench, force_->scale());
  reading_.torque_Nm = std::hypot(wrench[3], wrench[4], wrench[5]);
  reading_.force_ns = sample.host_time_ns;
  ++reading_.force_samples;
  if (!sums_) return;
  ++sums_->samples;
  for (std::size_t axis = 0; axis < 6; ++axis) {
    sums_->sum[axis] += wrench[axis];
    sums_->squares[axis] += wrench[axis] * wrench[axis];
  }
}

void LiveRig::read_force(const std::stop_token& stop) {
  devices::make_real_time(kForcePriority);
  std::vector<devices::ForceSample> samples;
  while (!stop.stop_requested()) {
    samples.clear();
    const auto got = force_->read(samples, kForceRead);
    for (const auto& sample : samples) take(sample);
    {
      const std::lock_guard lock(mutex_);
      reading_.force = force_->counters();
      if (!samples.empty()) {
        const double late_s =
            static_cast<double>(clock().now_ns() - samples.front().host_time_ns) * 1e-9;
        reading_.latency_s = std::max(kLatencyFades * reading_.latency_s, late_s);
      }
    }
    if (const auto recording = tap()) {
      for (const auto& sample : samples)
        if (auto kept = recording->push(sample); !kept) raise(LimitKind::kRecorder, kept.error());
      if (!samples.empty())
        (void)recording->losses(StreamKind::kForce, force_->counters(),
                                samples.back().host_time_ns);
    }
    if (got || got.error().code == ErrorCode::kTimeout) continue;
    raise(LimitKind::kDevice, {got.error().code, "force sensor: " + got.error().message});
    if (got.error().code == ErrorCode::kIo) return;
    (void)force_->start();
  }
}

void LiveRig::take(const devices::TactileFrame& frame) {
  supervisor_->see_frame(frame.host_time_ns);
  picture_.see(frame);
  const std::lock_guard lock(mutex_);
  reading_.counts = frame.counts;
  reading_.frame_ns = frame.host_time_ns;
  ++reading_.frames;
  if (watched_tactel_) {
    const auto index = static_cast<std::size_t>(*watched_tactel_ * sensor_.channels);
    const double sign = sensor_.falling ? -1 : 1;
    if (index < frame.counts.size())
      saturation_.see(sign * frame.counts[index], force_watch_.force_N());
    reading_.saturated = saturation_.saturated();
  }
  if (!sums_) return;
  sums_->counts.resize(frame.counts.size());
  ++sums_->frames;
  for (std::size_t i = 0; i < frame.counts.size(); ++i) sums_->counts[i] += frame.counts[i];
}

void LiveRig::read_array(const std::stop_token& stop) {
  devices::make_real_time(kArrayPriority);
  std::vector<devices::TactileFrame> frames;
  while (!stop.stop_requested()) {
    frames.clear();
    const auto got = array_->read(frames, kArrayRead);
    for (const auto& frame : frames) take(frame);
    {
      const std::lock_guard lock(mutex_);
      reading_.array = array_->counters();
    }
    if (const auto recording = tap()) {
      for (const auto& frame : frames)
        if (auto kept = recording->push(frame); !kept) raise(LimitKind::kRecorder, kept.error());
      if (!frames.empty())
        (void)recording->losses(StreamKind::kTactile, array_->counters(),
                                frames.back().host_time_ns);
    }
    if (got || got.error().code == ErrorCode::kTimeout) continue;
    raise(LimitKind::kDevice, {got.error().code, "tactile array: " + got.error().message});
    if (got.error().code == ErrorCode::kIo) return;
    (void)array_->start();
  }
}

/// An encoder that falls silent ends a recording's stage rows: nothing goes on without it.
void LiveRig::read_encoder(const std::stop_token& stop) {
  devices::make_real_time(kArrayPriority);
  std::vector<devices::LengthSample> samples;
  auto heard_ns = clock().now_ns();
  while (!stop.stop_requested()) {
    samples.clear();
    const auto got = encoder_->read(samples, kArrayRead);
    if (!samples.empty()) heard_ns = samples.back().host_time_ns;
    {
      const std::lock_guard lock(mutex_);
      reading_.encoder = encoder_->counters();
    }
    const auto recording = tap();
    if (recording && !samples.empty()) {
      for (const auto& sample : samples)
        if (auto kept = recording->push(sample); !kept) raise(LimitKind::kRecorder, kept.error());
      (void)recording->losses(StreamKind::kStage, encoder_->counters(), heard_ns);
    }
    const double silent_s = static_cast<double>(clock().now_ns() - heard_ns) * 1e-9;
    if (recording && silent_s > limits().stage_age_s)
      raise(LimitKind::kDevice,
            {ErrorCode::kTimeout, fmt::format("encoder: silent for {:.1f} s", silent_s)});
    if (got || got.error().code == ErrorCode::kTimeout) continue;
    raise(LimitKind::kDevice, {got.error().code, "encoder: " + got.error().message});
    if (got.error().code == ErrorCode::kIo) return;
    (void)encoder_->start();
  }
}

void LiveRig::watch(const std::stop_token& stop) {
  devices::make_real_time(kWatchPriority);
  auto& real = devices::steady_host_clock();
  WatchPace pace;
  for (auto due_ns = real.now_ns(); !stop.stop_requested(); real.wait_until(due_ns)) {
    const bool may_judge = pace.may_judge(real.now_ns() - due_ns);
    due_ns = real.now_ns() + kWatch_ns;
    if (!may_judge) continue;
    if (const auto trip = supervisor_->check_ages(clock().now_ns())) raise(*trip);
    std::optional<std::string> late;
    {
      const std::lock_guard lock(mutex_);
      late = stop_watch_.look(clock().now_ns());
    }
    raise_late(late);
  }
}

void LiveRig::take(const devices::StageSample& sample) {
  if (const auto trip = supervisor_->see(sample, stage_->travel())) raise(*trip);
  picture_.see(sample);
  {
    const std::lock_guard lock(mutex_);
    reading_.stage = sample;
  }
  if (const auto recording = tap())
    if (auto kept = recording->push(sample); !kept) raise(LimitKind::kRecorder, kept.error());
}

}  // namespace tactelier::rig
