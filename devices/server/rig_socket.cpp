#include "devices/server/rig_socket.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "libcalib/json_check.hpp"

namespace tactelier::rig {
namespace {

using devices::Descriptor;
using devices::Timeout;

constexpr std::size_t kLongestLine = 8U << 20U;
constexpr Timeout kSend{2000};
constexpr std::string_view kPrefix = "tactelier-rig-";

Result<sockaddr_un> address_of(const std::filesystem::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const auto text = path.string();
  if (text.size() >= sizeof address.sun_path)
    return fail(ErrorCode::kUsage, "{}: too long for a socket's name (107 characters)", text);
  std::memcpy(address.sun_path, text.c_str(), text.size() + 1);
  return address;
}

tl::unexpected<Error> system_failure(const std::filesystem::path& path) {
  return fail(ErrorCode::kIo, "{}: {}", path.string(), devices::system_message(errno));
}

}  // namespace

Error process_has_ended() {
  return {ErrorCode::kIo,
          "the rig process has ended: 'tactelier record' starts another, 'tactelier record "
          "--resume' goes on with a recording"};
}

/// FNV-1a.
std::uint64_t name_hash(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

std::filesystem::path socket_of(const devices::DeviceFile& devices) {
  const auto url = devices.stage ? devices.stage->options.text("url") : devices.document;
  return runtime_folder() / fmt::format("{}{:016x}.sock", kPrefix, name_hash(url));
}

std::vector<std::filesystem::path> known_sockets() {
  std::vector<std::filesystem::path> sockets;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(runtime_folder(), error))
    if (entry.path().filename().string().rfind(kPrefix, 0) == 0 &&
        entry.path().extension() == ".sock")
      sockets.push_back(entry.path());
  return sockets;
}

Result<Descriptor> connect_socket(const std::filesystem::path& path) {
  const auto address = address_of(path);
  if (!address) return fail(address.error());
  if (auto ours = check_private(path.parent_path()); !ours) return fail(ours.error());
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.valid()) return system_failure(path);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0)
    return fail(ErrorCode::kIo, "{}: no rig process listens there ({})", path.string(),
                devices::system_message(errno));
  return socket;
}

Result<Descriptor> listen_socket(const std::filesystem::path& path) {
  constexpr int kWaiting = 8;
  const auto address = address_of(path);
  if (!address) return fail(address.error());
  if (auto ours = make_private(path.parent_path()); !ours) return fail(ours.error());
  if (connect_socket(path))
    return fail(ErrorCode::kIo,
                "{}: a rig process serves this stage already; 'tactelier rig quit' ends it",
                path.string());
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.valid()) return system_failure(path);
  // Only this user may command the rig.
  const auto mask = ::umask(0077);
  const int bound =
      ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address);
  ::umask(mask);
  if (bound != 0 || ::listen(socket.get(), kWaiting) != 0) return system_failure(path);
  return socket;
}

Result<nlohmann::json> JsonLines::read(Timeout timeout) {
  auto& clock = devices::steady_host_clock();
  const auto deadline_ns = clock.now_ns() + devices::to_ns(timeout);
  while (true) {
    if (const auto end = pending_.find('\n', searched_); end != pending_.npos) {
      const auto line = std::string_view(pending_).substr(begin_, end - begin_);
      begin_ = searched_ = end + 1;
      return parse_json(line, "a line of JSON");
    }
    pending_.erase(0, std::exchange(begin_, 0));
    searched_ = pending_.size();
    if (pending_.size() > kLongestLine)
      return fail(ErrorCode::kProtocol, "a line of more than {} MiB", kLongestLine >> 20U);
    const auto left = devices::time_left(deadline_ns, clock.now_ns());
    if (auto ready = devices::wait_for(descriptor_.get(), POLLIN, left, "rig process"); !ready)
      return fail(ready.error());
    std::array<char, 65536> bytes{};
    const auto size = ::recv(descriptor_.get(), bytes.data(), bytes.size(), 0);
    if (size > 0)
      pending_.append(bytes.data(), static_cast<std::size_t>(size));
    else if (size == 0 || (errno != EAGAIN && errno != EINTR))
      return fail(process_has_ended());
  }
}

std::optional<int> JsonLines::peer_process() const {
  ucred who{};
  socklen_t size = sizeof who;
  if (::getsockopt(descriptor_.get(), SOL_SOCKET, SO_PEERCRED, &who, &size) != 0 || who.pid <= 0)
    return std::nullopt;
  return who.pid;
}

bool JsonLines::writable() const {
  pollfd wanted{descriptor_.get(), POLLOUT, 0};
  return ::poll(&wanted, 1, 0) == 1 && (wanted.revents & POLLOUT) != 0;
}

Result<void> JsonLines::write(const nlohmann::json& document) {
  const auto line = document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  std::size_t sent = 0;
  while (sent < line.size()) {
    const auto size = ::send(descriptor_.get(), line.data() + sent, line.size() - sent,
                             MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size > 0) {
      sent += static_cast<std::size_t>(size);
    } else if (errno == EAGAIN || errno == EINTR) {
      if (auto ready = devices::wait_for(descriptor_.get(), POLLOUT, kSend, "rig process"); !ready)
        return ready;
    } else {
      return fail(process_has_ended());
    }
  }
  return {};
}

}  // namespace tactelier::rig
