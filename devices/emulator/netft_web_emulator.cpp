#include <charconv>

#include "devices/emulator/netft_emulator.hpp"

namespace tactelier::devices {
namespace {

constexpr std::size_t kLongestRequest = 4096;
constexpr std::int64_t kAnswer_ns = 20'000'000;
constexpr std::int64_t kTooFast_ns = 100'000'000;  // what comes sooner is ignored, as by real boxes

std::string http_answer(std::string_view status, std::string_view type, std::string_view body) {
  return fmt::format(
      "HTTP/1.0 {}\r\nServer: emulated\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n{}", status,
      type, body.size(), body);
}

std::string page_of(const NetFtBox& box) {
  const auto& r = box.ratings;
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<netft>\n"
      "<prodname>Ethernet DAQ</prodname>\n<runstat>0x00000000</runstat>\n<runrate>{}</runrate>\n"
      "<setcfgsel>0</setcfgsel><setuserfilter>0</setuserfilter><setbias>0;0;0;0;0;0</setbias>\n"
      "<cfgnam>Default</cfgnam><cfgcalsel>0</cfgcalsel>\n"
      "<scfgfu>N</scfgfu><scfgtu>N-mm</scfgtu>\n<cfgcpf>{}</cfgcpf><cfgcpt>{}</cfgcpt>\n"
      "<cfgmr>{};{};{};{};{};{}</cfgmr>\n<cfgtfx>{};{};{};0;0;0</cfgtfx>\n<comrdte>Enabled</"
      "comrdte>"
      "<comrdtrate>{}</comrdtrate><comrdtbsiz>{}</comrdtbsiz>\n</netft>\n",
      box.sampling_rate_hz, box.counts_per_N, box.counts_per_Nm / 1e3, r[0], r[1], r[2], r[3] * 1e3,
      r[4] * 1e3, r[5] * 1e3, box.tool_m[0] * 1e3, box.tool_m[1] * 1e3, box.tool_m[2] * 1e3,
      box.rdt_rate_hz, box.records_per_datagram);
}

}  // namespace

void NetFtWebEmulator::apply(std::string_view query) {
  while (!query.empty()) {
    const auto end = std::min(query.find('&'), query.size());
    const auto setting = query.substr(0, end);
    const auto equals = std::min(setting.find('='), setting.size());
    const auto name = setting.substr(0, equals);
    const auto value = setting.substr(std::min(equals + 1, setting.size()));
    int number = 0;
    const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool whole = error == std::errc{} && stop == value.data() + value.size();
    if (whole && name == "comrdtrate" && number >= 1 && number <= 7000) box_.rdt_rate_hz = number;
    if (whole && name == "comrdtbsiz" && number >= 1 && number <= 40)
      box_.records_per_datagram = number;
    query.remove_prefix(std::min(end + 1, query.size()));
  }
}

std::string NetFtWebEmulator::answer(std::string_view path, std::int64_t now_ns) {
  const bool too_fast = now_ns - last_request_ns_ < kTooFast_ns;
  last_request_ns_ = now_ns;
  const auto question = std::min(path.find('?'), path.size());
  const auto page = path.substr(0, question);
  if (page == "/netftapi2.xml") return http_answer("200 OK", "text/xml", page_of(box_));
  if (page == "/comm.cgi") {
    if (!too_fast) apply(path.substr(std::min(question + 1, path.size())));
    return http_answer("200 OK", "text/html", "<html></html>");
  }
  return http_answer("404 Not Found", "text/html", "no such page");
}

void NetFtWebEmulator::receive(ByteView bytes, int peer, std::int64_t now_ns) {
  auto& request = requests_[peer];
  request.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const bool whole = request.find("\r\n\r\n") != std::string::npos;
  if (!whole && request.size() < kLongestRequest) return;
  std::string reply = http_answer("400 Bad Request", "text/html", "what?");
  if (whole && request.starts_with("GET ")) {
    const auto path = std::string_view(request).substr(4);
    reply = answer(path.substr(0, path.find_first_of(" \r")), now_ns);
  }
  requests_.erase(peer);
  wire_.send(now_ns + kAnswer_ns, Bytes(reply.begin(), reply.end()), peer, true);
}

}  // namespace tactelier::devices
