#include "app/workflow/device_watch.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace tactelier {
namespace {

constexpr std::int64_t kWindow_ns = 1'000'000'000;
constexpr std::int64_t kPause_ns = 50'000'000;  // after a failure, before the next attempt

double seconds(std::int64_t from_ns, std::int64_t to_ns) {
  return static_cast<double>(to_ns - from_ns) * 1e-9;
}

}  // namespace

DeviceWatch::DeviceWatch(DeviceHealth named, devices::HostClock& clock, Open open)
    : clock_(clock), health_(std::move(named)) {
  health_.words = "connecting";
  thread_ = std::jthread(
      [this, open = std::move(open)](const std::stop_token& stop) { run(stop, open); });
}

DeviceHealth DeviceWatch::health() const {
  const std::lock_guard lock(mutex_);
  return health_;
}

void DeviceWatch::report(HealthState state, std::string words) {
  const std::lock_guard lock(mutex_);
  health_.state = state;
  health_.words = std::move(words);
}

void DeviceWatch::run(const std::stop_token& stop, const Open& open) {
  auto device = open();
  if (!device) return report(HealthState::kBad, device.error().message);
  {
    const std::lock_guard lock(mutex_);
    health_.detail = device->detail;
    health_.nominal_hz = device->nominal_hz;
  }
  if (auto started = device->start(); !started)
    return report(HealthState::kBad, started.error().message);
  listen(stop, *device);
  device->stop();
}

void DeviceWatch::listen(const std::stop_token& stop, WatchedDevice& device) {
  while (!stop.stop_requested()) {
    WatchedDevice::Reading reading;
    const auto read = device.read(reading);
    take(reading);
    if (read) {
      judge(reading);
      continue;
    }
    report(HealthState::kBad, read.error().message);
    if (read.error().code == ErrorCode::kIo) return;  // gone: connecting again is the user's act
    clock_.wait_until(clock_.now_ns() + kPause_ns);
    // A device that restarted, or a stream that another program took, comes back by a start.
    if (read.error().code == ErrorCode::kTimeout && !stop.stop_requested()) (void)device.start();
  }
}

void DeviceWatch::take(const WatchedDevice::Reading& reading) {
  const std::lock_guard lock(mutex_);
  health_.counters = reading.counters;
  health_.unusable.add(reading.unusable);
  rate_.add(reading.samples, reading.latest_ns, reading.counters);
  health_.sent_rate_hz = rate_.rate_hz();
  if (reading.position_trusted) health_.position_trusted = reading.position_trusted;
  if (reading.samples == 0) return;
  health_.force_N = reading.force_N;
  if (!reading.values.empty()) health_.values = reading.values;
  if (health_.sample_ns) {
    health_.longest_pause_s =
        std::max(health_.longest_pause_s, seconds(*health_.sample_ns, reading.latest_ns));
  } else {
    first_ns_ = window_ns_ = reading.latest_ns;
    health_.begin_ns = first_ns_;
  }
  const bool first = !health_.sample_ns;
  health_.sample_ns = reading.latest_ns;
  health_.samples += reading.samples;
  if (first) return;
  window_samples_ += reading.samples;
  const double whole_s = seconds(first_ns_, reading.latest_ns);
  if (whole_s > 0) health_.mean_rate_hz = static_cast<double>(health_.samples - 1) / whole_s;
  if (reading.latest_ns - window_ns_ < kWindow_ns) {
    if (health_.rate_hz == 0) health_.rate_hz = health_.mean_rate_hz;
    return;
  }
  health_.rate_hz = static_cast<double>(window_samples_) / seconds(window_ns_, reading.latest_ns);
  window_ns_ = reading.latest_ns;
  window_samples_ = 0;
}

void DeviceWatch::judge(const WatchedDevice::Reading& reading) {
  if (reading.samples == 0) return;
  const auto seen = health();
  const auto rate = seen.stated_hz ? rate_.words(*seen.stated_hz) : "";
  {
    const std::lock_guard lock(mutex_);
    health_.rate_as_stated = rate.empty();
  }
  std::vector<std::string> words;
  for (auto say : {reading.trouble, words_of(seen.unusable, seen.begin_ns.value_or(0)), rate,
                   counter_words(reading.counters)})
    if (!say.empty()) words.push_back(std::move(say));
  if (words.empty()) return report(HealthState::kGood, "good");
  report(HealthState::kLook, fmt::format("{}", fmt::join(words, "; ")));
}

}  // namespace tactelier
