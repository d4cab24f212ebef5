#pragma once
// TCP and UDP to one host.

#include <netdb.h>

#include <memory>
#include <string>

#include "devices/link/descriptor.hpp"
#include "devices/link/link_url.hpp"

namespace tactelier::devices {

struct FreeAddresses {
  void operator()(addrinfo* list) const;
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

/// At least one. `type`: SOCK_STREAM, SOCK_DGRAM. A name is looked up by the system, in its own
/// time; an address costs none.
Result<Addresses> addresses_of(const LinkUrl& link, int type, const std::string& url);

/// The error for the errno of a host that can't be reached, with what helps.
tl::unexpected<Error> cannot_connect(const std::string& url, int error);

/// What the system noted of it since it was last asked; 0: nothing.
int pending_error(int socket);

/// A connected stream without delay (TCP_NODELAY).
Result<Descriptor> connect_tcp(const LinkUrl& link, const std::string& url, Timeout timeout);

/// Of a socket that is connected or bound: one message each time, with receive buffer, stamps and
/// count as connect_udp().
std::unique_ptr<Link> datagram_link(Descriptor socket, const std::string& url);

/// Datagrams to and from one host, with a receive buffer of 4 MiB where the system allows it, the
/// kernel's receive stamps (SO_TIMESTAMPNS) and its count of datagrams it had to drop
/// (SO_RXQ_OVFL).
Result<std::unique_ptr<Link>> connect_udp(const LinkUrl& link, const std::string& url);

}  // namespace tactelier::devices
