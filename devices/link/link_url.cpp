#include "devices/link/link_url.hpp"

#include <array>
#include <charconv>
#include <vector>

#include "libcalib/json_check.hpp"

namespace tactelier::devices {
namespace {

constexpr int kSlowest_baud = 50;
constexpr int kFastest_baud = 4'000'000;
constexpr std::size_t kLongestInterface = 15;  // of a name, by the kernel

struct Scheme {
  std::string_view name;
  LinkKind kind;
};
constexpr std::array kSchemes{Scheme{"serial", LinkKind::kSerial}, Scheme{"pty", LinkKind::kPty},
                              Scheme{"tcp", LinkKind::kTcp}, Scheme{"udp", LinkKind::kUdp},
                              Scheme{"can", LinkKind::kCan}};

template <class... Args>
tl::unexpected<Error> bad(std::string_view url, fmt::format_string<Args...> text, Args&&... args) {
  return fail(ErrorCode::kUsage, "device URL '{}': {}", url,
              fmt::format(text, std::forward<Args>(args)...));
}

std::optional<int> whole_number(std::string_view text) {
  int number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || stop != text.data() + text.size() || text.empty()) return {};
  return number;
}

/// The value's place in `words`; the message lists them.
Result<std::size_t> one_of(std::string_view url, std::string_view key, std::string_view value,
                           const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == value) return i;
  return bad(url, "{}={}: one of {} expected{}", key, value, fmt::join(words, ", "),
             did_you_mean(value, words));
}

Result<void> set_option(std::string_view url, std::string_view key, std::string_view value,
                        SerialSettings& serial) {
  const std::vector<std::string> known{"baud", "data", "parity", "stop", "dtr", "rts"};
  const auto choose = [&](const std::vector<std::string>& words, auto set) -> Result<void> {
    return one_of(url, key, value, words).map([&](std::size_t i) { set(static_cast<int>(i)); });
  };
  if (key == "baud") {
    const auto baud = whole_number(value);
    if (!baud || *baud < kSlowest_baud || *baud > kFastest_baud)
      return bad(url, "baud={}: a whole number from {} to {} expected", value, kSlowest_baud,
                 kFastest_baud);
    serial.baud = *baud;
    return {};
  }
  if (key == "data") return choose({"7", "8"}, [&](int i) { serial.data_bits = 7 + i; });
  if (key == "stop") return choose({"1", "2"}, [&](int i) { serial.stop_bits = 1 + i; });
  if (key == "parity")
    return choose({"none", "even", "odd"},
                  [&](int i) { serial.parity = static_cast<SerialParity>(i); });
  if (key == "dtr") return choose({"off", "on"}, [&](int i) { serial.dtr = i == 1; });
  if (key == "rts") return choose({"off", "on"}, [&](int i) { serial.rts = i == 1; });
  return bad(url, "unknown option '{}'{}; there are {}", key, did_you_mean(key, known),
             fmt::join(known, ", "));
}

Result<void> set_options(std::string_view url, std::string_view options, SerialSettings& serial) {
  while (!options.empty()) {
    const auto end = std::min(options.find('&'), options.size());
    const auto option = options.substr(0, end);
    const auto equals = option.find('=');
    if (equals == option.npos)
      return bad(url, "'{}' after '?': KEY=VALUE expected, e.g. baud=115200", option);
    if (auto set = set_option(url, option.substr(0, equals), option.substr(equals + 1), serial);
        !set)
      return set;
    options.remove_prefix(std::min(end + 1, options.size()));
  }
  return {};
}

/// "HOST:PORT", an IPv6 address in brackets.
Result<void> set_address(std::string_view url, std::string_view address, LinkUrl& link) {
  const auto colon = address.rfind(':');
  if (colon == address.npos || address.ends_with(']'))
    return bad(url, "no port; HOST:PORT expected, e.g. 192.168.1.1:49152");
  auto host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != host.npos) {
    return bad(url, "an IPv6 address goes in brackets: [{}]:{}", host, address.substr(colon + 1));
  }
  const auto port = whole_number(address.substr(colon + 1));
  if (!port || *port < 1 || *port > 65535)
    return bad(url, "port '{}': a whole number from 1 to 65535 expected",
               address.substr(colon + 1));
  if (host.empty()) return bad(url, "no host before the port");
  link.host = host;
  link.port = static_cast<std::uint16_t>(*port);
  return {};
}

Result<LinkKind> kind_of(std::string_view url) {
  const auto name = url.substr(0, std::min(url.find(':'), url.size()));
  std::vector<std::string> names;
  for (const auto& scheme : kSchemes) {
    if (name == scheme.name && name.size() < url.size()) return scheme.kind;
    names.emplace_back(scheme.name);
  }
  if (url.starts_with("/dev/")) return bad(url, "write serial:{}", url);
  return bad(url, "begins with none of serial:, pty:, tcp:, udp:, can:{}",
             did_you_mean(name, names));
}

}  // namespace

Result<LinkUrl> parse_link_url(std::string_view url) {
  if (url.find('\0') != url.npos) return bad(url, "holds a NUL byte");
  const auto kind = kind_of(url);
  if (!kind) return fail(kind.error());
  LinkUrl link;
  link.kind = *kind;
  auto rest = url.substr(url.find(':') + 1);
  const auto question = std::min(rest.find('?'), rest.size());
  const auto options = rest.substr(std::min(question + 1, rest.size()));
  rest = rest.substr(0, question);
  if (link.kind == LinkKind::kTcp || link.kind == LinkKind::kUdp) {
    if (rest.starts_with("//")) rest.remove_prefix(2);
    if (!options.empty()) return bad(url, "a network address takes no options");
    return set_address(url, rest, link).map([&] { return link; });
  }
  if (link.kind == LinkKind::kCan) {
    if (!options.empty())
      return bad(url, "an interface takes no options: `ip link` sets its speed");
    if (rest.empty() || rest.size() > kLongestInterface || rest.find('/') != rest.npos)
      return bad(url, "'{}' is no interface; e.g. can:can0", rest);
    link.path = rest;
    return link;
  }
  if (rest.empty()) return bad(url, "no port; e.g. serial:/dev/ttyUSB0");
  link.path = rest;
  return set_options(url, options, link.serial).map([&] { return link; });
}

}  // namespace tactelier::devices
