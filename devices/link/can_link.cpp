#include "devices/link/can_link.hpp"

#include <linux/can.h>
#include <linux/can/raw.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "devices/link/socket.hpp"

namespace tactelier::devices {
namespace {

tl::unexpected<Error> refused(const std::string& url, std::string_view help) {
  return fail(ErrorCode::kIo, "{}: {}; {}", url, system_message(errno), help);
}

}  // namespace

Result<std::unique_ptr<Link>> connect_can(const LinkUrl& link, const std::string& url) {
  Descriptor socket(::socket(PF_CAN, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, CAN_RAW));
  if (!socket.valid())
    return refused(url, "does this computer's kernel have CAN (`sudo modprobe can_raw`)?");
  ifreq interface {};
  std::copy_n(link.path.begin(), std::min<std::size_t>(link.path.size(), IFNAMSIZ - 1),
              std::begin(interface.ifr_name));
  if (::ioctl(socket.get(), SIOCGIFINDEX, &interface) != 0)
    return refused(url, "`ip link show type can` lists the interfaces that there are");
  sockaddr_can address{};
  address.can_family = AF_CAN;
  address.can_ifindex = interface.ifr_ifindex;
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return refused(url, "is it a CAN interface?");
  if (::ioctl(socket.get(), SIOCGIFFLAGS, &interface) != 0 || (interface.ifr_flags & IFF_UP) == 0)
    return fail(ErrorCode::kIo,
                "{}: the interface is down; `sudo ip link set {} up type can bitrate 1000000`", url,
                link.path);
  return datagram_link(std::move(socket), url);
}

}  // namespace tactelier::devices
