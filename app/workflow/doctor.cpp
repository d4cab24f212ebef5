#include "app/workflow/doctor.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>

#include "devices/link/serial_ports.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;

constexpr long kWantedBuffer = 4L << 20U;

std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::optional<long> number_in(const fs::path& file) {
  const auto line = first_line(file);
  long number = 0;
  const auto [stop, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (error != std::errc{} || stop == line.data()) return std::nullopt;
  return number;
}

std::vector<fs::path> entries(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(folder, error)) all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  return all;
}

void check_ports(SystemChecks& checks) {
  const auto ports = devices::list_serial_ports();
  if (!ports) return;
  for (const auto& port : *ports) {
    if (port.may_open)
      checks.push_back({"permission " + port.path, CheckState::kGood, "you may open it", ""});
    else
      checks.push_back({"permission " + port.path, CheckState::kLook, "you may not open it",
                        "sudo adduser $USER dialout, then log in again"});
  }
}

bool runs(const fs::path& root, std::string_view program) {
  const auto processes = entries(root / "proc");
  return std::any_of(processes.begin(), processes.end(), [&](const fs::path& process) {
    return first_line(process / "comm") == program;
  });
}

void check_services(const fs::path& root, SystemChecks& checks) {
  struct Service {
    const char *name, *what, *remedy;
  };
  constexpr std::array kServices{
      Service{"ModemManager", "talks to new serial ports as if they were modems",
              "sudo systemctl mask --now ModemManager"},
      Service{"brltty", "takes USB-serial adapters for braille displays",
              "sudo systemctl mask --now brltty-udev brltty"}};
  for (const auto& service : kServices) {
    const bool on = runs(root, service.name);
    checks.push_back({fmt::format("service {}", service.name),
                      on ? CheckState::kLook : CheckState::kGood,
                      on ? fmt::format("it runs and {}", service.what) : "not running",
                      on ? service.remedy : ""});
  }
}

void check_latency(const fs::path& root, SystemChecks& checks) {
  for (const auto& port : entries(root / "sys/bus/usb-serial/devices")) {
    const auto file = port / "latency_timer";
    const auto latency_ms = number_in(file);
    if (!latency_ms) continue;
    const bool good = *latency_ms <= 1;
    checks.push_back({fmt::format("latency timer {}", port.filename().string()),
                      good ? CheckState::kGood : CheckState::kLook,
                      fmt::format("{} ms", *latency_ms),
                      good ? "" : fmt::format("echo 1 | sudo tee {}", file.string())});
  }
}

void check_buffers(const fs::path& root, SystemChecks& checks) {
  const auto most = number_in(root / "proc/sys/net/core/rmem_max");
  if (!most) return;
  const bool good = *most >= kWantedBuffer;
  checks.push_back(
      {"socket buffer", good ? CheckState::kGood : CheckState::kLook,
       fmt::format("net.core.rmem_max is {}{}", *most,
                   good ? "" : ": at 7000 records/s a pause of 40 ms would lose some"),
       good ? ""
            : fmt::format("sudo sysctl -w net.core.rmem_max={} (and into /etc/sysctl.d to keep it)",
                          kWantedBuffer)});
}

}  // namespace

SystemChecks check_system(const fs::path& root) {
  SystemChecks checks;
  check_ports(checks);
  check_services(root, checks);
  check_latency(root, checks);
  check_buffers(root, checks);
  return checks;
}

}  // namespace tactelier
