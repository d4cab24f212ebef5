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
  health.stated_hz = entry.options.number("rate_hz");
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

DeviceMonitor::DeviceMonitor(devices::DeviceFile file, std::string who)
    : file_(std::move(file)),
      claim_(rig::DeviceClaim::take(file_, {std::move(who), {}, {}})),
      connections_(std::make_unique<devices::DeviceConnections>(file_)) {
  auto& at = *connections_;
  at.leave_settings_alone();
  const auto add = [&](DeviceHealth health, auto open) {
    const auto unless_refused = [this, open]() -> decltype(open()) {
      if (!claim_) return fail(claim_.error());
      return open();
    };
    watches_.push_back(watch(std::move(health), at.clock(), unless_refused));
  };
  if (file_.stage) add(named("stage", *file_.stage), [&at] { return at.open_stage(); });
  if (file_.force) {
    auto force = named("force", *file_.force);
    // Of an RDT box whose counts are stated; elsewhere the key is not a force sensor's.
    if (const auto period_ms = file_.force->options.number("period_ms"))
      force.stated_hz = 1e3 / *period_ms;
    add(std::move(force), [&at] { return at.open_force(); });
  }
  if (file_.tactile) add(named("tactile", *file_.tactile), [&at] { return at.open_tactile(); });
  for (std::size_t i = 0; i < file_.aux.size(); ++i)
    add(named(fmt::format("aux {}", i + 1), file_.aux[i]), [&at, i] { return at.open_gauge(i); });
}

std::optional<Error> DeviceMonitor::refusal() const {
  return claim_ ? std::nullopt : std::optional(claim_.error());
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
  const DeviceMonitor monitor(std::move(file), "'tactelier devices test'");
  if (const auto refused = monitor.refusal()) return fail(*refused);
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
