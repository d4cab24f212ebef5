#pragma once
// Which serial ports this machine has. Nothing is opened: opening resets boards, and a port that
// was opened and closed at once has made machines run away.

#include <string>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier::devices {

struct SerialPortInfo {
  std::string path;         // "/dev/ttyUSB0"
  std::string stable_path;  // below /dev/serial/by-id: stays when devices are plugged elsewhere
  std::string description;  // "USB-Serial Controller", as the system knows it
  std::string manufacturer, product, serial;  // of USB devices
  std::string usb_id;                         // "0403:6001"
  bool may_open = false;                      // by its permissions
};

/// Sorted by path. Fails with kIo when the system doesn't say.
Result<std::vector<SerialPortInfo>> list_serial_ports();

}  // namespace tactelier::devices
