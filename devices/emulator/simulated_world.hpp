#pragma once
// Emulators and their drivers in one process on one simulated clock: waiting for a device makes
// time pass, and an hour of it takes as long as computing it. Everything happens in the same order
// on every run.

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "devices/emulator/emulator.hpp"
#include "devices/link/connector.hpp"

namespace tactelier::devices {

class SimulatedWorld final : public HostClock {
 public:
  explicit SimulatedWorld(std::int64_t start_ns = 1'000'000'000) : now_ns_(start_ns) {}

  /// Reachable by open(url); a stream, or datagrams. The emulator outlives the world's use of it.
  void add(std::string url, Emulator& emulator, bool datagrams);

  /// A new host at that device; another one at the same device is another peer.
  Result<std::unique_ptr<Link>> open(std::string_view url);
  /// For drivers that open their links themselves.
  Connector connector();

  std::int64_t now_ns() const override { return now_ns_; }
  void wait_until(std::int64_t time_ns) override;

 private:
  class SimulatedLink;
  struct Inbox {
    Emulator* emulator = nullptr;
    std::deque<Outgoing> messages;
    bool closed = false;
  };
  struct Place {
    Emulator* emulator;
    bool datagrams;
  };
  /// To the next thing that happens, at most to `until_ns`.
  void step(std::int64_t until_ns);
  void collect(Emulator& emulator);

  std::int64_t now_ns_;
  std::map<std::string, Place, std::less<>> places_;
  std::map<int, Inbox> inboxes_;  // by peer
  int next_peer_ = 1;
};

}  // namespace tactelier::devices
