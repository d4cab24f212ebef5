// The monitor's threads while others look and the bench pulls plugs. scripts/tsan runs this one.
#include "app/workflow/device_monitor.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <thread>

#include "app/workflow/start_bench.hpp"
#include "tests/app/support/cli_process.hpp"

namespace tactelier::test {
namespace {

constexpr double kMost_s = 60;  // a deadline, not a duration

/// By condition, with a deadline.
template <class Condition>
bool comes(const DeviceMonitor& monitor, Condition condition) {
  auto& clock = devices::steady_host_clock();
  const auto end_ns = clock.now_ns() + static_cast<std::int64_t>(kMost_s * 1e9);
  while (clock.now_ns() < end_ns) {
    if (condition(monitor.health())) return true;
    std::this_thread::yield();
  }
  return false;
}

TEST(DeviceMonitor, IsLookedAtByTwoWhileDevicesStreamAndOneVanishes) {
  BenchRequest request;
  request.speed = 5;
  const auto started = start_bench(request);
  ASSERT_TRUE(started) << started.error().message;
  auto file = devices::parse_device_file(started->device_file, "bench");
  ASSERT_TRUE(file) << file.error().message;
  const DeviceMonitor monitor(std::move(*file));
  const std::jthread second([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) (void)monitor.settled();
  });
  EXPECT_TRUE(comes(monitor, [](const auto& all) {
    return std::all_of(all.begin(), all.end(),
                       [](const auto& device) { return device.samples > 5; });
  }));
  const auto& control = started->bench->endpoints().control;
  EXPECT_EQ(ask_over_tcp(control, R"({"fault": {"device": "tactile", "kind": "hang-up"}})"),
            R"({"ok":true})");
  EXPECT_TRUE(comes(monitor, [](const auto& all) {
    return std::any_of(all.begin(), all.end(), [](const auto& device) {
      return device.role == "tactile" && device.state == HealthState::kBad;
    });
  }));
}

}  // namespace
}  // namespace tactelier::test
