#pragma once
// How a driver opens its links: by the system, or in a simulated world.

#include <functional>
#include <memory>
#include <string_view>

#include "devices/link/link.hpp"

namespace tactelier::devices {

using Connector = std::function<Result<std::unique_ptr<Link>>(std::string_view url, Timeout)>;

/// Real links: open_link().
Connector system_connector();

}  // namespace tactelier::devices
