#pragma once
// Puts emulators on real wires: pseudo-terminals and sockets of the loopback, one thread, one poll
// for all of them. A driver, or somebody else's program, can't tell them from a device.
//
//   EmulatorHost host;
//   auto url = host.add_udp(netft);                       // "udp:127.0.0.1:40211"
//   std::jthread thread([&](std::stop_token stop) { host.run(stop); });

#include <netinet/in.h>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "devices/emulator/emulator.hpp"
#include "devices/link/descriptor.hpp"
#include "devices/link/world_time.hpp"

namespace tactelier::devices {

class EmulatorHost {
 public:
  /// `speed`: how many times faster than real the emulated world runs.
  explicit EmulatorHost(double speed = 1);

  /// Each gives the URL for open_link(). Port 0 takes any that is free. Before run().
  Result<std::string> add_pty(Emulator& emulator);
  Result<std::string> add_udp(Emulator& emulator, std::uint16_t port = 0);
  Result<std::string> add_tcp(Emulator& emulator, std::uint16_t port = 0);

  /// Serves until asked to stop.
  void run(const std::stop_token& stop);

  /// Does something in the thread of run(), between two messages: faults, another truth. Safe from
  /// any thread.
  void post(std::function<void(std::int64_t now_ns)> task);

  /// The emulated world's time: host time, `speed` times as fast from the construction on, less
  /// what this computer had no time for.
  std::int64_t now_ns() const { return world_->now_ns(); }
  /// WorldTime::path().
  std::string clock_path() const { return world_->path(); }

 private:
  enum class Wire { kPty, kUdp, kTcpListener, kTcp };
  struct Port {
    Wire wire{};
    Emulator* emulator = nullptr;
    Descriptor descriptor;
    Descriptor keeper;          // a slave kept open, so that the master outlives its clients
    std::string slave;          // its name
    std::uint16_t number = 0;   // of a datagram socket
    int peer = 0;               // of a TCP connection
    Bytes unsent;               // what the system doesn't take yet
    std::int64_t stuck_ns = 0;  // real time since which it has taken nothing, or is tried again
    bool closing = false;
  };

  Result<Descriptor> bound_socket(int type, std::uint16_t port, std::string& url) const;
  /// A pseudo-terminal, of that name if it is given; it may be taken.
  static Result<void> make_pty(Port& port, const std::string& name);
  void unplug(Port& port);
  /// After a hang-up that is over: under the name that it had.
  void plug_in(Port& port);
  void run_tasks();
  void live();
  void deliver(Emulator& emulator, const Outgoing& message);
  void deliver(Port& port, const Outgoing& message);
  void wait();
  void serve(Port& port);
  void accept_from(Port& listener);
  void serve_udp(Port& port);
  void flush(Port& port);
  void deliver_serial(Port& port, const Bytes& bytes);
  void remove_closed();

  std::unique_ptr<WorldTime> world_;
  std::int64_t portion_ns_;  // real
  std::vector<std::unique_ptr<Port>> ports_;
  std::map<std::pair<std::uint32_t, std::uint16_t>, int> udp_peers_;
  std::map<int, sockaddr_in> udp_addresses_;
  int next_peer_ = 1;
  Descriptor wake_;
  std::mutex mutex_;
  bool woken_ = false;  // by post()
  std::vector<std::function<void(std::int64_t)>> tasks_;
};

}  // namespace tactelier::devices
