// devices list, devices test

#include <algorithm>

#include "app/cli/commands.hpp"
#include "app/workflow/device_health_json.hpp"
#include "app/workflow/device_monitor.hpp"
#include "app/workflow/exit_status.hpp"
#include "app/workflow/known_devices.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

constexpr std::size_t kDriverColumn = 13;  // at least

std::string health_text(const DeviceHealth& health, std::size_t width) {
  const auto rate = health.samples > 1 ? fmt::format("{:.1f} /s", health.mean_rate_hz) : "-";
  auto text = fmt::format("{:<8} {:<{}} {:>11} {:>8} {:>6} {:>9.0f} ms  {}\n", health.role,
                          health.driver, width, rate, health.samples, health.counters.lost,
                          1e3 * health.longest_pause_s, health.words);
  if (!health.detail.empty()) text += fmt::format("{:22} {}\n", "", health.detail);
  if (!health.values.empty()) text += fmt::format("{:22} {}\n", "", health.values);
  return text;
}

}  // namespace

int run_devices_list(Console& console) {
  const auto ports = devices::list_serial_ports();
  if (!ports) return console.fail(ports.error());
  auto port_list = json::array();
  console.print(ports->empty() ? "Serial ports: none\n" : "Serial ports (none was opened):\n");
  for (const auto& port : *ports) {
    port_list.push_back(port_json(port));
    auto line = fmt::format("  {:<14}", port.path);
    if (!port.path.ends_with(port.description)) line += " " + port.description;
    if (!port.usb_id.empty()) line += " " + port.usb_id;
    if (!port.may_open) line += "  (no permission: see doctor)";
    console.print(line + "\n");
  }
  const auto drivers = all_drivers(), descriptions = all_descriptions();
  console.print("\nDrivers, for a device file (-v: their options):\n");
  auto width = kDriverColumn;
  for (const auto& driver : drivers)
    width = std::max(width, driver["driver"].get_ref<const std::string&>().size());
  for (const auto& driver : drivers) {
    console.print(fmt::format("  {:<8} {:<{}} {}\n", driver["role"].get<std::string>(),
                              driver["driver"].get<std::string>(), width,
                              driver["what"].get<std::string>()));
    if (!console.verbose()) continue;
    for (const auto& option : driver["options"])
      console.print(fmt::format("           {:<16} {}{}\n", option["key"].get<std::string>(),
                                option["help"].get<std::string>(),
                                option["required"].get<bool>() ? " (required)" : ""));
  }
  console.print("\nDescriptions of frames, by the driver that takes them:\n");
  for (const auto& device : descriptions)
    console.print(fmt::format("  {:<22} {:>2} x {:<3} {}\n", device["name"].get<std::string>(),
                              device["rows"].get<int>(), device["columns"].get<int>(),
                              device["driver"].get<std::string>()));
  return console.finish({{"ports", std::move(port_list)},
                         {"drivers", drivers},
                         {"descriptions", descriptions},
                         {"health", nullptr},
                         {"learned", nullptr}},
                        {});
}

int run_devices_test(Console& console, const std::string& file, double seconds) {
  auto devices = devices::load_device_file(file);
  if (!devices) return console.fail(devices.error());
  const auto tested = test_devices(std::move(*devices), seconds, console.job());
  if (!tested) return console.fail(tested.error());
  auto width = kDriverColumn;
  for (const auto& health : *tested) width = std::max(width, health.driver.size());
  console.print(fmt::format("{:<8} {:<{}} {:>11} {:>8} {:>6} {:>12}  {}\n", "role", "driver", width,
                            "rate", "samples", "lost", "worst pause", "status"));
  auto list = json::array();
  Warnings warnings;
  bool failed = tested->empty();
  for (const auto& health : *tested) {
    console.print(health_text(health, width));
    list.push_back(health_json(health));
    failed |= device_failed(health);
    if (health.state == HealthState::kLook)
      warnings.push_back({"DEVICE", health.words, health.role});
  }
  if (tested->empty()) console.print("The device file names no device.\n");
  return console.finish({{"ports", nullptr},
                         {"drivers", nullptr},
                         {"descriptions", nullptr},
                         {"health", std::move(list)},
                         {"learned", nullptr}},
                        warnings, failed ? kExitDevice : kExitDone);
}

}  // namespace tactelier::cli
