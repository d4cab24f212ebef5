#include "devices/emulator/emulator_host.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "devices/link/serial_port.hpp"

namespace tactelier::devices {
namespace {

constexpr std::int64_t kLongestWait_ns = 50'000'000;
constexpr std::int64_t kHeldWait_ns = 100'000;  // real: a reader's mark is looked at again
// What a faster world's devices say is handed over in portions of so much of its time: a thread is
// woken for each, and that costs more than all that it does. At real speed nothing waits.
constexpr std::int64_t kPortion_ns = 500'000;            // real
constexpr std::int64_t kMaxPortion_ns = 4'000'000;       // world
constexpr std::size_t kSerialBuffer = 640 * 1024;        // bytes that Linux keeps of a serial port
constexpr std::int64_t kPlugIn_ns = 50'000'000;          // real, between two looks
constexpr std::int64_t kNobodyReads_ns = 3'000'000'000;  // what nobody takes for so long is lost

template <class... Args>
tl::unexpected<Error> refused(fmt::format_string<Args...> text, Args&&... args) {
  return fail(ErrorCode::kIo, "{}: {}", fmt::format(text, std::forward<Args>(args)...),
              system_message(errno));
}

tl::unexpected<Error> taken(bool udp, std::uint16_t port) {
  return fail(ErrorCode::kIo,
              "{} port {} of the loopback is taken by another program: 'ss -{}lpn sport = :{}' "
              "names it; end it, or leave the choice of ports to the system",
              udp ? "UDP" : "TCP", port, udp ? "u" : "t", port);
}

}  // namespace

EmulatorHost::EmulatorHost(double speed)
    : world_(WorldTime::create(speed)),
      portion_ns_(
          speed > 1 ? std::min(kPortion_ns, static_cast<std::int64_t>(kMaxPortion_ns / speed)) : 0),
      wake_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

Result<void> EmulatorHost::make_pty(Port& port, const std::string& name) {
  constexpr int kMost = 64;  // of other names that the system gives first
  std::vector<Descriptor> others;
  std::array<char, 64> slave{};
  for (int tried = 0; tried < kMost; ++tried) {
    Descriptor master(::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    if (!master.valid() || ::grantpt(master.get()) != 0 || ::unlockpt(master.get()) != 0 ||
        ::ptsname_r(master.get(), slave.data(), slave.size()) != 0)
      return refused("cannot make a pseudo-terminal");
    if (!name.empty() && name != slave.data()) {
      others.push_back(std::move(master));
      continue;
    }
    port.slave = slave.data();
    port.keeper = Descriptor(::open(slave.data(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    if (!port.keeper.valid()) return refused("cannot open {}", slave.data());
    // Raw before anybody knows its name: else the line discipline echoes the first bytes.
    if (auto raw = make_raw(port.keeper.get(), port.slave); !raw) return raw;
    port.descriptor = std::move(master);
    return {};
  }
  return fail(ErrorCode::kIo, "{}: the system has given it to somebody else", name);
}

Result<std::string> EmulatorHost::add_pty(Emulator& emulator) {
  auto port = std::make_unique<Port>();
  port->wire = Wire::kPty;
  port->emulator = &emulator;
  if (auto made = make_pty(*port, ""); !made) return fail(made.error());
  ports_.push_back(std::move(port));
  return "pty:" + ports_.back()->slave;
}

Result<Descriptor> EmulatorHost::bound_socket(int type, std::uint16_t port,
                                              std::string& url) const {
  Descriptor socket(::socket(AF_INET, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  // Of datagrams it would let two programs have the same port, and one of them hear nothing.
  const int on = 1;
  if (type == SOCK_STREAM) ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* at = reinterpret_cast<sockaddr*>(&address);
  const bool udp = type == SOCK_DGRAM;
  if (!socket.valid() || ::bind(socket.get(), at, size) != 0 ||
      ::getsockname(socket.get(), at, &size) != 0) {
    if (errno == EADDRINUSE && port != 0) return taken(udp, port);
    return refused("cannot use {} port {} of the loopback", udp ? "UDP" : "TCP", port);
  }
  url = fmt::format("{}:127.0.0.1:{}", udp ? "udp" : "tcp", ntohs(address.sin_port));
  return socket;
}

Result<std::string> EmulatorHost::add_udp(Emulator& emulator, std::uint16_t number) {
  std::string url;
  auto socket = bound_socket(SOCK_DGRAM, number, url);
  if (!socket) return fail(socket.error());
  auto port = std::make_unique<Port>();
  port->wire = Wire::kUdp;
  port->emulator = &emulator;
  const auto digits = std::string_view(url).substr(url.rfind(':') + 1);
  std::from_chars(digits.data(), digits.data() + digits.size(), port->number);
  port->descriptor = std::move(*socket);
  ports_.push_back(std::move(port));
  return url;
}

Result<std::string> EmulatorHost::add_tcp(Emulator& emulator, std::uint16_t number) {
  std::string url;
  auto socket = bound_socket(SOCK_STREAM, number, url);
  if (!socket) return fail(socket.error());
  if (::listen(socket->get(), 8) != 0) return refused("cannot listen at {}", url);
  auto port = std::make_unique<Port>();
  port->wire = Wire::kTcpListener;
  port->emulator = &emulator;
  port->descriptor = std::move(*socket);
  ports_.push_back(std::move(port));
  return url;
}

void EmulatorHost::post(std::function<void(std::int64_t)> task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  const std::uint64_t one = 1;
  if (::write(wake_.get(), &one, sizeof one) < 0) return;  // full: it is awake anyway
}

void EmulatorHost::run_tasks() {
  if (!std::exchange(woken_, false)) return;
  std::uint64_t count = 0;
  if (::read(wake_.get(), &count, sizeof count) < 0) return;
  std::vector<std::function<void(std::int64_t)>> tasks;
  {
    const std::lock_guard lock(mutex_);
    tasks.swap(tasks_);
  }
  for (const auto& task : tasks) task(now_ns());
}

void EmulatorHost::deliver(Port& port, const Outgoing& message) {
  const auto& bytes = message.bytes;
  if (port.wire == Wire::kUdp) {
    const auto to = udp_addresses_.find(message.peer);
    if (to == udp_addresses_.end()) return;
    ::sendto(port.descriptor.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL,
             reinterpret_cast<const sockaddr*>(&to->second), sizeof to->second);
  } else if (port.wire == Wire::kPty) {
    deliver_serial(port, bytes);
  } else if (port.wire == Wire::kTcp && (message.peer == 0 || port.peer == message.peer)) {
    port.unsent.insert(port.unsent.end(), bytes.begin(), bytes.end());
    port.closing |= message.close;
    flush(port);
  }
}

/// A serial device without flow control does not wait for its host. A pseudo-terminal takes 4 to 12
/// KiB only; what a real port's buffer would have held besides is kept here, else a host that was
/// late with a burst of its own would lose bytes that no wire loses.
void EmulatorHost::deliver_serial(Port& port, const Bytes& bytes) {
  const auto now = steady_host_clock().now_ns();
  const bool nobody = !port.unsent.empty() && now - port.stuck_ns > kNobodyReads_ns;
  if (nobody) port.unsent.clear();
  if (port.unsent.size() + bytes.size() > kSerialBuffer) return;
  if (port.unsent.empty()) port.stuck_ns = now;
  port.unsent.insert(port.unsent.end(), bytes.begin(), bytes.end());
}

void EmulatorHost::deliver(Emulator& emulator, const Outgoing& message) {
  for (const auto& port : ports_)
    if (port->emulator == &emulator && port->descriptor.valid()) deliver(*port, message);
}

void EmulatorHost::flush(Port& port) {
  while (!port.unsent.empty()) {
    const int to = port.descriptor.get();
    const auto& bytes = port.unsent;
    const auto sent = port.wire == Wire::kPty
                          ? ::write(to, bytes.data(), bytes.size())
                          : ::send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) break;
    port.unsent.erase(port.unsent.begin(), port.unsent.begin() + sent);
    port.stuck_ns = steady_host_clock().now_ns();
  }
  if (port.unsent.empty() && port.closing) port.descriptor = Descriptor();
}

void EmulatorHost::live() {
  const auto now = now_ns();
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    auto& emulator = *ports_[i]->emulator;
    emulator.run_until(now);
    while (const auto message = emulator.take(now)) deliver(emulator, *message);
    if (ports_[i]->wire == Wire::kPty && ports_[i]->descriptor.valid()) flush(*ports_[i]);
    if (ports_[i]->wire == Wire::kTcpListener) continue;
    if (emulator.hung_up(now))
      unplug(*ports_[i]);
    else if (!ports_[i]->descriptor.valid())
      plug_in(*ports_[i]);
  }
  remove_closed();
  world_->hand_over(now);
}

/// The slave that is kept holds the name: nobody else is given it meanwhile.
void EmulatorHost::unplug(Port& port) {
  port.descriptor = Descriptor();
  port.unsent.clear();
}

/// The system may need a moment until a name is free again: the next look tries anew.
void EmulatorHost::plug_in(Port& port) {
  const auto now = steady_host_clock().now_ns();
  if (now - port.stuck_ns < kPlugIn_ns) return;
  port.stuck_ns = now;
  if (port.wire == Wire::kPty) {
    port.keeper = Descriptor();
    (void)make_pty(port, std::string(port.slave));
  }
  std::string url;
  if (port.wire != Wire::kUdp) return;
  if (auto socket = bound_socket(SOCK_DGRAM, port.number, url))
    port.descriptor = std::move(*socket);
}

void EmulatorHost::remove_closed() {
  std::erase_if(ports_, [](const auto& port) {
    return port->wire == Wire::kTcp && !port->descriptor.valid();
  });
}

void EmulatorHost::accept_from(Port& listener) {
  Descriptor socket(
      ::accept4(listener.descriptor.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!socket.valid()) return;
  auto port = std::make_unique<Port>();
  port->wire = Wire::kTcp;
  port->emulator = listener.emulator;
  port->descriptor = std::move(socket);
  port->peer = next_peer_++;
  ports_.push_back(std::move(port));
}

void EmulatorHost::serve_udp(Port& port) {
  std::array<std::uint8_t, 2048> bytes{};
  sockaddr_in from{};
  socklen_t size = sizeof from;
  const auto got = ::recvfrom(port.descriptor.get(), bytes.data(), bytes.size(), 0,
                              reinterpret_cast<sockaddr*>(&from), &size);
  if (got < 0) return;
  const auto [known, added] =
      udp_peers_.try_emplace({from.sin_addr.s_addr, from.sin_port}, next_peer_);
  if (added) udp_addresses_[next_peer_++] = from;
  port.emulator->receive(ByteView(bytes).first(static_cast<std::size_t>(got)), known->second,
                         now_ns());
}

void EmulatorHost::serve(Port& port) {
  port.emulator->run_until(now_ns());
  if (port.wire == Wire::kTcpListener) return accept_from(port);
  if (port.wire == Wire::kUdp) return serve_udp(port);
  std::array<std::uint8_t, 4096> bytes{};
  const auto got = ::read(port.descriptor.get(), bytes.data(), bytes.size());
  if (got > 0)
    port.emulator->receive(ByteView(bytes).first(static_cast<std::size_t>(got)), port.peer,
                           now_ns());
  else if (port.wire == Wire::kTcp && (got == 0 || errno != EAGAIN))
    port.descriptor = Descriptor();
}

void EmulatorHost::wait() {
  std::vector<pollfd> waiting{{wake_.get(), POLLIN, 0}};
  std::vector<Port*> polled;
  auto next_ns = kNever;
  for (const auto& port : ports_) {
    next_ns = std::min(next_ns, port->emulator->next_ns());
    if (!port->descriptor.valid()) continue;
    const auto events = static_cast<short>(port->unsent.empty() ? POLLIN : POLLIN | POLLOUT);
    waiting.push_back({port->descriptor.get(), events, 0});
    polled.push_back(port.get());
  }
  const auto left_ns =
      next_ns == kNever
          ? kLongestWait_ns
          : static_cast<std::int64_t>(static_cast<double>(next_ns - now_ns()) / world_->scale());
  auto wait_ns = std::clamp<std::int64_t>(left_ns, portion_ns_, kLongestWait_ns);
  world_->beat(wait_ns);
  if (world_->held()) wait_ns = kHeldWait_ns;
  const timespec timeout{0, wait_ns};
  if (::ppoll(waiting.data(), waiting.size(), &timeout, nullptr) <= 0) return;
  woken_ = (waiting[0].revents & POLLIN) != 0;
  for (std::size_t i = 0; i < polled.size(); ++i) {
    const auto happened = waiting[i + 1].revents;
    if ((happened & POLLOUT) != 0) flush(*polled[i]);
    if ((happened & (POLLIN | POLLHUP | POLLERR)) != 0 && polled[i]->descriptor.valid())
      serve(*polled[i]);
  }
}

void EmulatorHost::run(const std::stop_token& stop) {
  const std::stop_callback wake(stop, [this] { post([](std::int64_t) {}); });
  while (!stop.stop_requested()) {
    run_tasks();
    live();
    wait();
  }
}

}  // namespace tactelier::devices
