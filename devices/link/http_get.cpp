#include "devices/link/http_get.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace tactelier::devices {
namespace {

constexpr std::size_t kMaxHeader = 8192;

/// "tcp:HOST:PORT" of "http://HOST[:PORT]".
Result<std::string> address_of(std::string_view server) {
  constexpr std::string_view kScheme = "http://";
  auto host = server;
  if (!host.starts_with(kScheme) || host.size() == kScheme.size())
    return fail(ErrorCode::kUsage, "'{}': an address like http://192.168.1.1 expected", server);
  host.remove_prefix(kScheme.size());
  if (host.ends_with('/')) host.remove_suffix(1);
  const auto colon = host.rfind(':');
  const bool port = colon != host.npos && host.find(']', colon) == host.npos;
  return fmt::format("tcp:{}{}", host, port ? "" : ":80");
}

Result<std::string> read_to_the_end(Link& link, Timeout timeout, std::size_t most_bytes) {
  std::string text;
  std::array<std::uint8_t, 4096> piece{};
  const auto deadline_ns = link.clock().now_ns() + to_ns(timeout);
  while (text.size() <= most_bytes + kMaxHeader) {
    const auto got = link.receive(piece, time_left(deadline_ns, link.clock().now_ns()));
    if (!got && got.error().code == ErrorCode::kIo && !text.empty()) return text;
    if (!got) return fail(got.error());
    text.append(reinterpret_cast<const char*>(piece.data()), got->size);
  }
  return fail(ErrorCode::kProtocol, "{}: an answer of more than {} bytes", link.url(), most_bytes);
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return (x | 0x20) == (y | 0x20); });
}

/// Content-Length, when the header has one.
std::optional<std::size_t> stated_length(std::string_view header) {
  constexpr std::string_view kName = "\ncontent-length:";
  for (std::size_t at = 0; at + kName.size() <= header.size(); ++at) {
    if (header[at] != '\n' ||
        !equal_ignoring_case(header.substr(at, kName.size()).substr(1), kName.substr(1)))
      continue;
    auto value = header.substr(at + kName.size());
    while (value.starts_with(' ')) value.remove_prefix(1);
    std::size_t length = 0;
    const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), length);
    if (error == std::errc{}) return length;
  }
  return std::nullopt;
}

Result<std::string> body_of(std::string_view answer, const std::string& place) {
  const auto end = answer.find("\r\n\r\n");
  const auto line = answer.substr(0, std::min(answer.find("\r\n"), answer.size()));
  if (!line.starts_with("HTTP/1.") || end == answer.npos)
    return fail(ErrorCode::kProtocol, "{}: the answer is no HTTP", place);
  if (line.size() < 12 || line.substr(9, 3) != "200")
    return fail(ErrorCode::kProtocol, "{}: the server says '{}'", place, line.substr(0, 80));
  auto body = answer.substr(end + 4);
  const auto length = stated_length(answer.substr(0, end));
  if (length && *length > body.size())
    return fail(ErrorCode::kIo, "{}: the answer stops after {} of {} bytes", place, body.size(),
                *length);
  return std::string(body.substr(0, length.value_or(body.size())));
}

}  // namespace

Result<std::string> http_get(const Connector& connect, std::string_view server,
                             std::string_view path, Timeout timeout, std::size_t most_bytes) {
  const auto address = address_of(server);
  if (!address) return fail(address.error());
  const auto link = connect(*address, timeout);
  if (!link) return fail(link.error());
  const auto host = server.substr(7);
  const auto request = fmt::format(
      "GET {} HTTP/1.0\r\nHost: {}\r\nUser-Agent: tactelier\r\nConnection: close\r\n\r\n", path,
      host);
  if (auto sent = (*link)->send(view_of(request), timeout); !sent) return fail(sent.error());
  const auto answer = read_to_the_end(**link, timeout, most_bytes);
  if (!answer) return fail(answer.error());
  return body_of(*answer, fmt::format("{}{}", server, path));
}

}  // namespace tactelier::devices
