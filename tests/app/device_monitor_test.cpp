// The monitor's threads while others look and the bench pulls plugs. scripts/tsan runs this one.
#include "app/workflow/device_monitor.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <thread>

#include "devices/bench/bench_of_rig.hpp"
#include "devices/bench/running_bench.hpp"
#include "devices/link/link.hpp"
#include "libcalib/pad/draw_truth.hpp"

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

std::string ask(const std::string& url, std::string_view line) {
  auto link = devices::open_link(url);
  if (!link) return link.error().message;
  if (auto sent = (*link)->send(devices::view_of(line), devices::Timeout(1000)); !sent)
    return sent.error().message;
  devices::Bytes bytes(200);
  const auto got = (*link)->receive(bytes, devices::Timeout(10'000));
  return got ? std::string(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(got->size))
             : got.error().message;
}

TEST(DeviceMonitor, IsLookedAtByTwoWhileDevicesStreamAndOneVanishes) {
  const auto truth = pad::draw_truth(load_sensor("weiss-wts0614").value(), 1).value();
  const auto setup = devices::bench_setup_of(virtual_bench_rig(), truth, pad::clean(), 1).value();
  const auto bench = devices::RunningBench::start(setup);
  ASSERT_TRUE(bench) << bench.error().message;
  auto file =
      devices::parse_device_file((*bench)->device_file(R"("weiss-wts0614")", 1e-3), "bench");
  ASSERT_TRUE(file) << file.error().message;
  const DeviceMonitor monitor(std::move(*file));
  const std::jthread second([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) (void)monitor.settled();
  });
  EXPECT_TRUE(comes(monitor, [](const auto& all) {
    return std::all_of(all.begin(), all.end(),
                       [](const auto& device) { return device.samples > 5; });
  }));
  const std::string unplug = R"({"fault": {"device": "tactile", "kind": "hang-up"}})";
  EXPECT_EQ(ask((*bench)->endpoints().control, unplug + "\n"), "{\"ok\":true}\n");
  EXPECT_TRUE(comes(monitor, [](const auto& all) {
    return std::any_of(all.begin(), all.end(), [](const auto& device) {
      return device.role == "tactile" && device.state == HealthState::kBad;
    });
  }));
}

}  // namespace
}  // namespace tactelier::test
