#include "devices/link/socket.hpp"

#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

namespace tactelier::devices {

int pending_error(int socket) {
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
  return error;
}

void FreeAddresses::operator()(addrinfo* list) const { ::freeaddrinfo(list); }

Result<Addresses> addresses_of(const LinkUrl& link, int type, const std::string& url) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = type;
  addrinfo* list = nullptr;
  const int error =
      ::getaddrinfo(link.host.c_str(), fmt::format("{}", link.port).c_str(), &hints, &list);
  if (error != 0 || list == nullptr)
    return fail(ErrorCode::kIo, "{}: cannot find the host '{}': {}", url, link.host,
                ::gai_strerror(error));
  return Addresses(list);
}

tl::unexpected<Error> cannot_connect(const std::string& url, int error) {
  std::string_view help;
  if (error == ECONNREFUSED) help = "; nothing listens on that port";
  if (error == EHOSTUNREACH || error == ENETUNREACH)
    help = "; is this computer's network address in the device's network?";
  return nothing_answers(url, system_message(error) + std::string(help));
}

Result<Descriptor> connect_tcp(const LinkUrl& link, const std::string& url, Timeout timeout) {
  const auto list = addresses_of(link, SOCK_STREAM, url);
  if (!list) return fail(list.error());
  Result<Descriptor> last = cannot_connect(url, EHOSTUNREACH);
  for (const auto* at = list->get(); at != nullptr; at = at->ai_next) {
    Descriptor socket(::socket(at->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!socket.valid()) continue;
    const int now = ::connect(socket.get(), at->ai_addr, at->ai_addrlen) == 0 ? 0 : errno;
    if (now != 0 && now != EINPROGRESS) {
      last = cannot_connect(url, now);
      continue;
    }
    // A refused connection wakes poll with POLLHUP beside POLLOUT: SO_ERROR has the reason.
    const auto ready = wait_for(socket.get(), POLLOUT, timeout, url);
    const int error = pending_error(socket.get());
    if (!ready && error == 0) {
      last = fail(ready.error().code,
                  "nothing answers at {} within {} ms: check power, cable and address", url,
                  timeout.count());
    } else if (error != 0) {
      last = cannot_connect(url, error);
    } else {
      const int on = 1;
      ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      return socket;
    }
  }
  return last;
}

}  // namespace tactelier::devices
