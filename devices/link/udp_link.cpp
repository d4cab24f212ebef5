#include <poll.h>
#include <sys/socket.h>
#include <time.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "devices/link/socket.hpp"
#include "devices/link/wall_clock.hpp"

namespace tactelier::devices {
namespace {

constexpr int kReceiveBuffer = 4 << 20;  // half a second of 7000 datagrams/s (measured)
constexpr std::int64_t kLongestQueue_ns = 5'000'000'000;

std::int64_t in_ns(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

class UdpLink final : public Link {
 public:
  UdpLink(Descriptor socket, std::string url) : socket_(std::move(socket)), url_(std::move(url)) {}

  Result<Received> receive(std::span<std::uint8_t> into, Timeout timeout) override {
    const auto deadline_ns = clock().now_ns() + to_ns(timeout);
    while (true) {
      const auto left = time_left(deadline_ns, clock().now_ns());
      if (auto ready = wait_for(socket_.get(), POLLIN, left, url_); !ready)
        return unready(ready.error());
      iovec place{into.data(), into.size()};
      alignas(cmsghdr) std::array<char, 256> control{};
      msghdr message{};
      message.msg_iov = &place;
      message.msg_iovlen = 1;
      message.msg_control = control.data();
      message.msg_controllen = control.size();
      const auto size = ::recvmsg(socket_.get(), &message, MSG_DONTWAIT);
      if (size >= 0) heard_ = true;
      if (size >= 0) return taken(static_cast<std::size_t>(size), message);
      if (errno != EAGAIN && errno != EINTR) return gone(errno);
    }
  }

  Result<void> send(ByteView bytes, Timeout timeout) override {
    if (auto ready = wait_for(socket_.get(), POLLOUT, timeout, url_); !ready)
      return unready(ready.error());
    const auto sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) return gone(errno);
    return {};
  }

  bool readable() const override {
    pollfd waiting{socket_.get(), POLLIN, 0};
    return ::poll(&waiting, 1, 0) == 1 && (waiting.revents & POLLIN) != 0;
  }
  const std::string& url() const override { return url_; }
  HostClock& clock() const override { return steady_host_clock(); }

 private:
  /// "Connection refused" is the answer to an earlier datagram: nobody listens there.
  tl::unexpected<Error> gone(int error) const {
    if (!heard_) return cannot_connect(url_, error);
    return fail(ErrorCode::kIo, "{}: the other end is gone ({}; unplugged or switched off?)", url_,
                system_message(error));
  }

  /// A socket's error wakes whoever waits for something to read.
  tl::unexpected<Error> unready(const Error& waited) const {
    const int error = waited.code == ErrorCode::kIo ? pending_error(socket_.get()) : 0;
    if (error == 0) return fail(waited);
    return gone(error);
  }

  /// The kernel stamps with the wall clock. Where its stamp makes no sense the time of reading
  /// serves; before the kernel has switched stamping on, some milliseconds after the first socket
  /// asked for it (net/core/dev.c, net_enable_timestamp), the stamp is that time, too.
  std::int64_t arrival_ns(const timespec& stamp, std::int64_t now_ns) {
    const auto stamp_ns = wall_.steady_ns(in_ns(stamp)).value_or(now_ns);
    return stamp_ns > now_ns || stamp_ns < now_ns - kLongestQueue_ns ? now_ns : stamp_ns;
  }

  Result<Received> taken(std::size_t size, msghdr& message) {
    Received received{size, clock().now_ns(), dropped_};
    for (auto* part = CMSG_FIRSTHDR(&message); part != nullptr;
         part = CMSG_NXTHDR(&message, part)) {
      if (part->cmsg_level != SOL_SOCKET) continue;
      if (part->cmsg_type == SCM_TIMESTAMPNS) {
        timespec stamp{};
        std::memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
        received.host_time_ns = arrival_ns(stamp, received.host_time_ns);
      } else if (part->cmsg_type == SO_RXQ_OVFL) {
        std::memcpy(&dropped_, CMSG_DATA(part), sizeof dropped_);
        received.dropped = dropped_;
      }
    }
    if ((message.msg_flags & MSG_TRUNC) != 0)
      return fail(ErrorCode::kProtocol, "{}: a datagram of more than {} bytes", url_, size);
    return received;
  }

  Descriptor socket_;
  std::string url_;
  WallClock wall_ = WallClock::of_host();
  std::uint32_t dropped_ = 0;
  std::atomic<bool> heard_ = false;  // a datagram has come
};

void prepare(int socket) {
  const int on = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  ::setsockopt(socket, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);
  const int size = kReceiveBuffer;  // root may exceed net.core.rmem_max, others get what it allows
  if (::setsockopt(socket, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) != 0)
    ::setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
}

}  // namespace

std::unique_ptr<Link> datagram_link(Descriptor socket, const std::string& url) {
  prepare(socket.get());
  return std::make_unique<UdpLink>(std::move(socket), url);
}

Result<std::unique_ptr<Link>> connect_udp(const LinkUrl& link, const std::string& url) {
  const auto list = addresses_of(link, SOCK_DGRAM, url);
  if (!list) return fail(list.error());
  const auto& at = **list;
  Descriptor socket(::socket(at.ai_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.valid() || ::connect(socket.get(), at.ai_addr, at.ai_addrlen) != 0)
    return cannot_connect(url, errno);
  return datagram_link(std::move(socket), url);
}

}  // namespace tactelier::devices
