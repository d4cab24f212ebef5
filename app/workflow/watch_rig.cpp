#include "app/workflow/watch_rig.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

#include "app/workflow/rig_process.hpp"
#include "devices/server/rig_socket.hpp"
#include "libcalib/json_check.hpp"

namespace tactelier {
namespace {

constexpr devices::Timeout kAnswer{5000};

}  // namespace

Result<std::string> RigWatch::receive(devices::Timeout timeout) {
  if (auto ready = devices::wait_for(socket_.get(), POLLIN, timeout, "rig process"); !ready)
    return fail(ready.error());
  std::array<char, 65536> bytes{};
  const auto size = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
  if (size > 0) return std::string(bytes.data(), static_cast<std::size_t>(size));
  if (size < 0 && errno == EINTR) return std::string();
  return fail(rig::process_has_ended());
}

Result<RigWatch> RigWatch::begin(const std::optional<std::filesystem::path>& devices) {
  const auto socket = running_socket(devices);
  if (!socket) return fail(socket.error());
  auto connected = rig::connect_socket(*socket);
  if (!connected) return fail(connected.error());
  RigWatch watch(std::move(*connected));
  constexpr std::string_view kWatch = "{\"do\": \"watch\"}\n";
  if (::send(watch.socket_.get(), kWatch.data(), kWatch.size(), MSG_NOSIGNAL) < 0)
    return fail(rig::process_has_ended());
  std::string answer;
  while (answer.find('\n') == answer.npos) {
    const auto bytes = watch.receive(kAnswer);
    if (!bytes) return fail(bytes.error());
    answer += *bytes;
  }
  const auto end = answer.find('\n');
  const auto document = parse_json(answer.substr(0, end), "a line of JSON");
  if (!document) return fail(document.error());
  if (const auto error = rig::messages::error_in(*document)) return fail(*error);
  watch.reader_.add(std::string_view(answer).substr(end + 1));  // frames follow at once
  return watch;
}

Result<rig::LiveFrame> RigWatch::next(devices::Timeout timeout) {
  auto& clock = devices::steady_host_clock();
  const auto deadline_ns = clock.now_ns() + devices::to_ns(timeout);
  while (true) {
    auto frame = reader_.next();
    if (!frame) return fail(frame.error());
    if (*frame) return std::move(**frame);
    const auto bytes = receive(devices::time_left(deadline_ns, clock.now_ns()));
    if (!bytes) return fail(bytes.error());
    reader_.add(*bytes);
  }
}

}  // namespace tactelier
