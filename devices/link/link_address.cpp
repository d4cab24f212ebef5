#include "devices/link/link_address.hpp"

#include <netdb.h>

#include <array>
#include <filesystem>

#include "devices/link/socket.hpp"

namespace tactelier::devices {
namespace {

/// The address that a link takes: the first.
std::string number_of_host(const LinkUrl& link, const std::string& url) {
  const auto list = addresses_of(link, link.kind == LinkKind::kUdp ? SOCK_DGRAM : SOCK_STREAM, url);
  if (!list) return link.host;
  std::array<char, NI_MAXHOST> text{};
  const auto& first = **list;
  const int error = ::getnameinfo(first.ai_addr, first.ai_addrlen, text.data(), text.size(),
                                  nullptr, 0, NI_NUMERICHOST);
  return error == 0 ? text.data() : link.host;
}

}  // namespace

Result<std::string> link_address(std::string_view text) {
  const auto link = parse_link_url(text);
  if (!link) return fail(link.error());
  if (link->kind == LinkKind::kUdp || link->kind == LinkKind::kTcp)
    return fmt::format("{}:{}:{}", link->kind == LinkKind::kUdp ? "udp" : "tcp",
                       number_of_host(*link, std::string(text)), link->port);
  if (link->kind == LinkKind::kCan) return "can:" + link->path;
  std::error_code error;
  const auto there = std::filesystem::canonical(link->path, error);
  return error ? link->path : there.string();
}

}  // namespace tactelier::devices
