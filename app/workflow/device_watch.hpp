#pragma once
// One device being watched: a thread that opens it, reads, and keeps its health up to date.

#include <functional>
#include <mutex>
#include <thread>

#include "app/workflow/device_health.hpp"
#include "devices/link/host_clock.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// What a watch can do with its device, whatever it is.
struct WatchedDevice {
  std::string detail;
  std::optional<double> nominal_hz;
  std::function<Result<void>()> start;
  /// Waits a little; says how many samples came, what counts by now, and what the latest says.
  struct Reading {
    std::int64_t samples = 0;
    std::int64_t latest_ns = 0;
    devices::StreamCounters counters;
    std::string values;   // "" keeps the last
    std::string trouble;  // "saturated"; "" when fine
    std::optional<bool> position_trusted;
    std::optional<double> force_N;
    UnusableRecords unusable;  // among these samples
  };
  std::function<Result<void>(Reading&)> read;
  std::function<void()> stop;
};

class DeviceWatch {
 public:
  using Open = std::function<Result<WatchedDevice>()>;

  DeviceWatch(DeviceHealth named, devices::HostClock& clock, Open open);
  DeviceHealth health() const;
  void request_stop() { thread_.request_stop(); }

 private:
  void run(const std::stop_token& stop, const Open& open);
  void listen(const std::stop_token& stop, WatchedDevice& device);
  void take(const WatchedDevice::Reading& reading);
  void judge(const WatchedDevice::Reading& reading);
  void report(HealthState state, std::string words);

  devices::HostClock& clock_;
  mutable std::mutex mutex_;
  DeviceHealth health_;
  StreamRate rate_;
  std::int64_t first_ns_ = 0, window_ns_ = 0, window_samples_ = 0;
  std::jthread thread_;  // last: it uses the rest
};

}  // namespace tactelier
