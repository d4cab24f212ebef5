#pragma once
// tactelier devices list: the serial ports of this computer, the drivers, and the descriptions that
// they take. Opens nothing.

#include <nlohmann/json.hpp>

#include "devices/link/serial_ports.hpp"

namespace tactelier {

/// As --json has them: url, path, description, manufacturer, product, serial, usb_id, may_open.
nlohmann::json port_json(const devices::SerialPortInfo& port);
/// role, driver, what, and options: key, help, required.
nlohmann::json all_drivers();
/// name, rows, columns, channels, driver, source.
nlohmann::json all_descriptions();

}  // namespace tactelier
