#pragma once
// The way from an emulated device to its host: speed of the line, and everything that can happen to
// a message on it. Each emulator has one and asks it about the faults that concern the device.

#include <deque>
#include <vector>

#include "devices/emulator/emulator.hpp"

namespace tactelier::devices {

class EmulatedWire {
 public:
  /// `bytes_per_s`: of a serial line, baud / 10 at 8N1 (10 bit times a byte); 0 for a network,
  /// where messages stay whole.
  explicit EmulatedWire(double bytes_per_s = 0) : bytes_per_s_(bytes_per_s) {}

  /// The device begins to send at `at_ns`.
  void send(std::int64_t at_ns, Bytes bytes, int peer = 0, bool close = false);

  std::int64_t next_ns() const;
  std::optional<Outgoing> take(std::int64_t now_ns);
  /// What was sent and has not arrived is lost: the device was reset.
  void forget() { queue_.clear(); }

  void inject(const Fault& fault, std::int64_t now_ns);
  /// Those that are not over.
  std::vector<PendingFault> faults(std::int64_t now_ns) const;
  /// Ends them all.
  void mend() { pending_.clear(); }
  /// Whether a fault that lasts (kFreeze, kSaturate, kSlow, kHangUp, kDeaf) is on.
  bool lasting(FaultKind kind, std::int64_t now_ns) const;
  /// Whether a fault that counts or strikes once (kWrongData, kAlarm, kReset) is due; uses it up.
  bool strikes(FaultKind kind, std::int64_t now_ns);
  /// When, after now, a fault strikes by itself (kAlarm, kReset, kHangUp), or kNever.
  std::int64_t next_strike_ns(std::int64_t now_ns) const;

 private:
  struct Pending {
    Fault fault;
    std::int64_t from_ns, until_ns;
    int left;
  };
  void queue(Outgoing message);
  double slowness_s(std::int64_t now_ns) const;

  double bytes_per_s_;
  std::int64_t line_free_ns_ = 0;
  std::deque<Outgoing> queue_;  // by due time
  std::vector<Pending> pending_;
};

}  // namespace tactelier::devices
