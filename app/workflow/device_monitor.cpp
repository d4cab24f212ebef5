#include "app/workflow/device_monitor.hpp"

#include <algorithm>
#include <thread>

#include "app/workflow/watched_devices.hpp"

namespace tactelier {
namespace {

constexpr auto kLook = std::chrono::milliseconds(20);

template <class Device>
DeviceHealth named(std::string role, const devices::DeviceEntry<Device>& entry) {
  DeviceHealth health;
  health.role = std::move(role);
  health.driver = entry.driver->name;
  health.place = entry.options.text("url", entry.options.text("file"));
  return health;
}

/// Opens by `open` in the watch's own thread.
template <class Opener>
std::unique_ptr<DeviceWatch> watch(DeviceHealth health, devices::HostClock& clock, Opener open) {
  return std::make_unique<DeviceWatch>(std::move(health), clock,
                                       [open = std::move(open)]() -> Result<WatchedDevice> {
                                         auto device = open();
                                         if (!device) return fail(device.error());
                                         return watched(std::shared_ptr(std::move(*device)));
                                       });
}

}  // namespace

DeviceMonitor::DeviceMonitor(devices::DeviceFile file)
    : file_(std::move(file)), connections_(std::make_unique<devices::DeviceConnections>(file_)) {
  auto& at = *connections_;
  at.leave_settings_alone();
  if (file_.stage)
    watches_.push_back(
        watch(named("stage", *file_.stage), at.clock(), [&at] { return at.open_stage(); }));
  if (file_.force)
    watches_.push_back(
        watch(named("force", *file_.force), at.clock(), [&at] { return at.open_force(); }));
  if (file_.tactile)
    watches_.push_back(
        watch(named("tactile", *file_.tactile), at.clock(), [&at] { return at.open_tactile(); }));
  for (std::size_t i = 0; i < file_.aux.size(); ++i)
    watches_.push_back(watch(named(fmt::format("aux {}", i + 1), file_.aux[i]), at.clock(),
                             [&at, i] { return at.open_gauge(i); }));
}

DeviceMonitor::~DeviceMonitor() {
  for (const auto& one : watches_) one->request_stop();
}

std::vector<DeviceHealth> DeviceMonitor::health() const {
  std::vector<DeviceHealth> all;
  for (const auto& one : watches_) all.push_back(one->health());
  return all;
}

std::int64_t DeviceMonitor::now_ns() const { return connections_->clock().now_ns(); }

bool DeviceMonitor::settled() const {
  return std::none_of(watches_.begin(), watches_.end(), [](const auto& one) {
    return one->health().state == HealthState::kConnecting;
  });
}

Result<std::vector<DeviceHealth>> test_devices(devices::DeviceFile file, double seconds,
                                               const Job& job) {
  const DeviceMonitor monitor(std::move(file));
  auto& clock = devices::steady_host_clock();
  while (!monitor.settled()) {
    if (job.stopped()) return Job::cancelled();
    std::this_thread::sleep_for(kLook);
  }
  const auto begin_ns = clock.now_ns();
  const auto passed_s = [&] { return static_cast<double>(clock.now_ns() - begin_ns) * 1e-9; };
  while (passed_s() < seconds) {
    if (job.stopped()) return Job::cancelled();
    job.progress("read", passed_s(), seconds);
    std::this_thread::sleep_for(kLook);
  }
  return monitor.health();
}

}  // namespace tactelier
