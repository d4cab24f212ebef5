#include "devices/xela/can_bus.hpp"

#include "devices/xela/slcan_bus.hpp"
#include "devices/xela/socketcan.hpp"

namespace tactelier::devices {
namespace {

constexpr Timeout kOpen{2000};

}  // namespace

Result<std::unique_ptr<CanBus>> open_can_bus(std::string_view url, const Connector& connect) {
  auto link = connect(url, kOpen);
  if (!link) return fail(link.error());
  if (url.starts_with("can:")) return socketcan_bus(std::move(*link));
  return SlcanBus::create(std::move(*link));
}

}  // namespace tactelier::devices
