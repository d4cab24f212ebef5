// LiveRig: the threads that read, judge and watch.

#include <cmath>

#include "devices/acquisition/live_rig.hpp"
#include "devices/link/real_time_thread.hpp"
#include "devices/supervision/watch_pace.hpp"

namespace tactelier::rig {
namespace {

using devices::Timeout;

constexpr Timeout kForceRead{50};
constexpr Timeout kWorldRead{2};  // of a bench that waits for us
constexpr Timeout kArrayRead{200};
constexpr Timeout kLostLook{50};
constexpr std::int64_t kWatch_ns = 2'000'000;  // real time between two looks at the ages
constexpr int kWatchPriority = 30, kForcePriority = 20, kArrayPriority = 10;

std::string name_of(DeviceRole role) {
  constexpr std::array<std::string_view, kDeviceRoles> kNames{"force sensor", "tactile array",
                                                              "encoder", "stage"};
  return std::string(kNames[static_cast<std::size_t>(role)]);
}

/// So that its port is free for whoever opens it again.
template <class Device>
void let_go(Plug<Device>& plug, std::shared_ptr<Device>& device) {
  plug.put(nullptr);
  device.reset();
}

}  // namespace

double LiveRig::seconds_since(std::int64_t host_ns) const {
  return static_cast<double>(clock().now_ns() - host_ns) * 1e-9;
}

template <class Sample>
void LiveRig::record(const std::vector<Sample>& samples, StreamKind kind,
                     const devices::StreamCounters& counters) {
  const auto recording = tap();
  if (!recording || samples.empty()) return;
  for (const auto& sample : samples)
    if (auto kept = recording->push(sample); !kept) raise(LimitKind::kRecorder, kept.error());
  (void)recording->losses(kind, counters, samples.back().host_time_ns);
}

template <class Device>
void LiveRig::look_after(DeviceRole role, const Result<void>& got,
                         const std::shared_ptr<Device>& device) {
  if (got || got.error().code == ErrorCode::kTimeout) return;
  const auto what = fmt::format("{}: {}", name_of(role), got.error().message);
  raise(LimitKind::kDevice, {got.error().code, what});
  if (got.error().code == ErrorCode::kIo)
    lost_.lost(role, what);
  else
    (void)device->start();
}

template <class Device, class Open>
std::shared_ptr<Device> LiveRig::open_again(DeviceRole role, Plug<Device>& plug, Open reopen) {
  if (!lost_.wanted(role, kLostLook)) return nullptr;
  auto opened = (this->*reopen)();
  std::shared_ptr<Device> device;
  if (opened) device = std::move(*opened);
  plug.put(device);
  if (device && role == DeviceRole::kForce) ++force_connections_;
  if (opened)
    lost_.tried(role, {});
  else
    lost_.tried(role, fail(opened.error(), name_of(role)));
  return device;
}

void LiveRig::take(const devices::ForceSample& sample) {
  const auto wrench = shapes_.force.wrench_SI(sample);
  const double pad_N = readings_->on_pad_N(wrench);
  if (const auto trip = supervisor_->see(sample, pad_N)) raise(*trip);
  raise_late(trips_.see_force(sample.host_time_ns, pad_N));
  picture_.see(sample.host_time_ns, wrench, pad_N);
  readings_->take_force(sample.host_time_ns, wrench, pad_N, free_air_);
}

void LiveRig::read_force(const std::stop_token& stop) {
  devices::make_real_time(kForcePriority);
  std::vector<devices::ForceSample> samples;
  auto* world = connections_->world();
  auto force = force_.get();
  while (!stop.stop_requested()) {
    if (!force) {
      if (world != nullptr) world->mark(devices::WorldReader::kForce, 0);  // nobody waits for us
      force = open_again(DeviceRole::kForce, force_, &LiveRig::open_force_again);
      continue;
    }
    samples.clear();
    const auto handed_over_ns = world != nullptr ? world->handed_over_ns() : 0;
    const auto got = force->read(samples, world != nullptr ? kWorldRead : kForceRead);
    for (const auto& sample : samples) take(sample);
    if (world != nullptr)
      world->mark(devices::WorldReader::kForce,
                  samples.empty() ? handed_over_ns : samples.back().host_time_ns);
    std::optional<double> latency_s;
    if (!samples.empty()) latency_s = seconds_since(samples.front().host_time_ns);
    readings_->count_force(force->counters(), latency_s);
    record(samples, StreamKind::kForce, force->counters());
    look_after(DeviceRole::kForce, got, force);
    if (lost_.is_lost(DeviceRole::kForce)) let_go(force_, force);
  }
}

void LiveRig::take(const devices::TactileFrame& frame) {
  supervisor_->see_frame(frame.host_time_ns);
  picture_.see(frame);
  readings_->take_frame(frame);
}

void LiveRig::read_array(const std::stop_token& stop) {
  devices::make_real_time(kArrayPriority);
  std::vector<devices::TactileFrame> frames;
  auto array = array_.get();
  while (!stop.stop_requested()) {
    if (!array) {
      array = open_again(DeviceRole::kArray, array_, &LiveRig::open_array_again);
      continue;
    }
    frames.clear();
    const auto got = array->read(frames, kArrayRead);
    for (const auto& frame : frames) take(frame);
    readings_->count_array(array->counters());
    record(frames, StreamKind::kTactile, array->counters());
    look_after(DeviceRole::kArray, got, array);
    if (lost_.is_lost(DeviceRole::kArray)) let_go(array_, array);
  }
}

/// An encoder that falls silent ends a recording's stage rows: nothing goes on without it.
void LiveRig::read_encoder(const std::stop_token& stop) {
  devices::make_real_time(kArrayPriority);
  std::vector<devices::LengthSample> samples;
  auto heard_ns = clock().now_ns();
  auto encoder = encoder_.get();
  while (!stop.stop_requested()) {
    if (!encoder) {
      encoder = open_again(DeviceRole::kEncoder, encoder_, &LiveRig::open_encoder_again);
      heard_ns = clock().now_ns();
      continue;
    }
    samples.clear();
    const auto got = encoder->read(samples, kArrayRead);
    if (!samples.empty()) heard_ns = samples.back().host_time_ns;
    readings_->count_encoder(encoder->counters());
    record(samples, StreamKind::kStage, encoder->counters());
    const double silent_s = seconds_since(heard_ns);
    if (recording() && silent_s > limits().stage_age_s)
      raise(LimitKind::kDevice,
            {ErrorCode::kTimeout, fmt::format("encoder: silent for {:.1f} s", silent_s)});
    look_after(DeviceRole::kEncoder, got, encoder);
    if (lost_.is_lost(DeviceRole::kEncoder)) let_go(encoder_, encoder);
  }
}

/// By the kernel the sensor speaks, and its samples wait for a thread of ours: that is no silence,
/// and so long nothing moves towards the pad by an older force anyway (limits().live_force_s).
/// Beyond that nobody judges any more, and the trip says whose fault it is.
bool LiveRig::only_unread(Trip& trip) const {
  const auto force = force_.get();
  if (trip.kind != LimitKind::kForceAge || !force || !force->unread()) return false;
  trip.text +=
      "; its samples have arrived and wait: this computer is too busy to judge them "
      "('tactelier doctor')";
  return trip.value <= limits().live_force_s;
}

void LiveRig::watch(const std::stop_token& stop) {
  devices::make_real_time(kWatchPriority);
  auto& real = devices::steady_host_clock();
  WatchPace pace;
  for (auto due_ns = real.now_ns(); !stop.stop_requested(); real.wait_until(due_ns)) {
    const bool may_judge = pace.may_judge(real.now_ns() - due_ns);
    due_ns = real.now_ns() + kWatch_ns;
    if (!may_judge) continue;
    if (auto trip = supervisor_->check_ages(clock().now_ns()))
      if (!only_unread(*trip)) raise(*trip);
    raise_late(trips_.look(clock().now_ns()));
  }
}

void LiveRig::take(const devices::StageSample& sample) {
  if (const auto trip = supervisor_->see(sample, stage_->travel())) raise(*trip);
  picture_.see(sample);
  readings_->take_stage(sample);
  if (const auto recording = tap())
    if (auto kept = recording->push(sample); !kept) raise(LimitKind::kRecorder, kept.error());
}

}  // namespace tactelier::rig
