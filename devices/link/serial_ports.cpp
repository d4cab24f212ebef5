#include "devices/link/serial_ports.hpp"

#include <libserialport.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace tactelier::devices {
namespace {

namespace fs = std::filesystem;

struct FreePorts {
  void operator()(sp_port** ports) const { sp_free_port_list(ports); }
};

std::string text_of(const char* text) { return text != nullptr ? text : ""; }

std::string stable_path_of(const fs::path& port) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/dev/serial/by-id", error)) {
    std::error_code broken;
    if (fs::canonical(entry.path(), broken) == port && !broken) return entry.path().string();
  }
  return {};
}

SerialPortInfo info_of(const sp_port* port) {
  SerialPortInfo info;
  info.path = text_of(sp_get_port_name(port));
  info.stable_path = stable_path_of(info.path);
  info.description = text_of(sp_get_port_description(port));
  if (sp_get_port_transport(port) == SP_TRANSPORT_USB) {
    info.manufacturer = text_of(sp_get_port_usb_manufacturer(port));
    info.product = text_of(sp_get_port_usb_product(port));
    info.serial = text_of(sp_get_port_usb_serial(port));
    int vendor = 0, product = 0;
    if (sp_get_port_usb_vid_pid(port, &vendor, &product) == SP_OK)
      info.usb_id = fmt::format("{:04x}:{:04x}", vendor, product);
  }
  info.may_open = ::access(info.path.c_str(), R_OK | W_OK) == 0;
  return info;
}

}  // namespace

Result<std::vector<SerialPortInfo>> list_serial_ports() {
  sp_port** list = nullptr;
  if (sp_list_ports(&list) != SP_OK)
    return fail(ErrorCode::kIo, "the system doesn't list its serial ports (below /sys/class/tty)");
  const std::unique_ptr<sp_port*, FreePorts> keep(list);
  std::vector<SerialPortInfo> ports;
  for (auto** port = list; *port != nullptr; ++port) ports.push_back(info_of(*port));
  std::sort(ports.begin(), ports.end(),
            [](const auto& a, const auto& b) { return a.path < b.path; });
  return ports;
}

}  // namespace tactelier::devices
