#include "devices/link/can_link.hpp"
#include "devices/link/connector.hpp"
#include "devices/link/link.hpp"
#include "devices/link/link_url.hpp"
#include "devices/link/serial_port.hpp"
#include "devices/link/socket.hpp"

namespace tactelier::devices {

Result<std::unique_ptr<Link>> open_link(std::string_view text, Timeout timeout) {
  const auto link = parse_link_url(text);
  if (!link) return fail(link.error());
  const std::string url(text);
  if (link->kind == LinkKind::kUdp) return connect_udp(*link, url);
  if (link->kind == LinkKind::kCan) return connect_can(*link, url);
  auto open = [&]() -> Result<Descriptor> {
    if (link->kind == LinkKind::kTcp) return connect_tcp(*link, url, timeout);
    const bool terminal = link->kind == LinkKind::kPty || is_pseudo_terminal(link->path);
    return terminal ? open_terminal(*link, url) : open_serial_port(*link, url);
  }();
  if (!open) return fail(open.error());
  return std::make_unique<StreamLink>(std::move(*open), url);
}

Connector system_connector() {
  return [](std::string_view url, Timeout timeout) { return open_link(url, timeout); };
}

}  // namespace tactelier::devices
