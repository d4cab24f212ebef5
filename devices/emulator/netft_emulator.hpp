#pragma once
// A Net F/T box: its RDT port (UDP), its web server and its command port (TCP), three emulators
// over one box. The rules are the manual's: replies go to whoever asked last, one receiver only,
// rdt_sequence begins at 1 on each start, ft_sequence counts the internal samples whatever streams,
// nothing is acknowledged, and anything but 8 bytes is ignored.

#include <functional>
#include <map>
#include <string>

#include "devices/ati/rdt_protocol.hpp"
#include "devices/emulator/emulated_wire.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier::devices {

/// Fx, Fy, Fz [N], Tx, Ty, Tz [N*m] at a time.
using WrenchSource = std::function<std::array<double, 6>(std::int64_t time_ns)>;

/// What the box is set to; web server and command port change it, the RDT port follows rate and
/// records per datagram at the next start.
struct NetFtBox {
  int rdt_rate_hz = 1000;
  int records_per_datagram = 1;
  double sampling_rate_hz = 7000;  // ft_sequence per second
  double clock_ppm = 0;            // how much its crystal is fast
  double counts_per_N = 1e6;
  double counts_per_Nm = 1e6;
  std::array<double, 6> ratings{12, 12, 17, 0.12, 0.12, 0.12};  // N, N*m
  bool bias_stops_stream = false;  // manuals and drivers contradict each other
  int deaf_to_starts = 0;          // start requests lost before one is heard
  std::uint32_t first_rdt_sequence = 1;
  std::uint32_t ft_at_power_up = 0;
  bool takes_speed = false;         // OnRobot's set speed: a Net F/T doesn't know it
  std::array<double, 6> bias_SI{};  // software bias: lost by kReset
  Vector3 tool_m{};                 // tool transform: torques are about this point
};

class NetFtEmulator final : public Emulator {
 public:
  NetFtEmulator(NetFtBox& box, WrenchSource wrench, std::int64_t power_up_ns);

  void receive(ByteView datagram, int peer, std::int64_t now_ns) override;
  void run_until(std::int64_t now_ns) override;
  std::int64_t next_ns() const override;
  std::optional<Outgoing> take(std::int64_t now_ns) override { return wire_.take(now_ns); }

  /// Besides the wire's own: kSaturate sets 0x80020000 and drives Fz to its end, kAlarm latches the
  /// monitor condition (0x80010000) until it is cleared, kReset ends the stream and begins the
  /// sample counter anew, kWrongData sends a record without a new sample behind it.
  void inject(const Fault& fault, std::int64_t now_ns) override { wire_.inject(fault, now_ns); }
  std::vector<PendingFault> faults(std::int64_t now_ns) const override {
    return wire_.faults(now_ns);
  }
  void mend() override { wire_.mend(); }
  bool hung_up(std::int64_t) override { return false; }  // UDP does not notice: see kFreeze

  std::int64_t records_sent() const { return records_sent_; }

  /// Without bias, about the tool's point. N, N*m.
  std::array<double, 6> wrench_at(std::int64_t time_ns) const;
  std::uint32_t status_at(std::int64_t time_ns) const;
  void set_bias(std::int64_t time_ns);
  void clear_latch() { latched_ = false; }

 private:
  std::int64_t record_time_ns(std::int64_t number) const;
  RdtRecord measure(std::int64_t time_ns);
  void start(std::uint32_t count, bool buffered, int peer, std::int64_t now_ns);

  NetFtBox& box_;
  WrenchSource wrench_;
  EmulatedWire wire_;
  std::int64_t power_up_ns_, now_ns_;
  bool streaming_ = false, latched_ = false;
  int peer_ = 0, batch_ = 1, rate_hz_ = 1;
  std::int64_t start_ns_ = 0, sent_ = 0, wanted_ = 0;  // of this stream; wanted 0: endless
  std::uint32_t last_ft_ = 0;
  std::int64_t records_sent_ = 0;
  Bytes datagram_;
};

/// Answers each 20 bytes. WRITETHRESHOLD is refused: the monitor condition is latched by kAlarm
/// alone; so is a transform that turns axes, whose order no source gives.
class NetFtCommandEmulator final : public Emulator {
 public:
  NetFtCommandEmulator(NetFtBox& box, NetFtEmulator& measuring)
      : box_(box), measuring_(measuring) {}

  void receive(ByteView bytes, int peer, std::int64_t now_ns) override;
  void run_until(std::int64_t) override {}
  std::int64_t next_ns() const override { return wire_.next_ns(); }
  std::optional<Outgoing> take(std::int64_t now_ns) override { return wire_.take(now_ns); }
  void inject(const Fault& fault, std::int64_t now_ns) override { wire_.inject(fault, now_ns); }
  bool hung_up(std::int64_t now_ns) override { return wire_.lasting(FaultKind::kHangUp, now_ns); }

 private:
  Bytes answer(ByteView request, std::int64_t now_ns);
  Bytes read_force(ByteView request, std::int64_t now_ns);

  NetFtBox& box_;
  NetFtEmulator& measuring_;
  EmulatedWire wire_;
  std::map<int, Bytes> requests_;  // by peer, until they are whole
};

class NetFtWebEmulator final : public Emulator {
 public:
  explicit NetFtWebEmulator(NetFtBox& box) : box_(box) {}

  void receive(ByteView bytes, int peer, std::int64_t now_ns) override;
  void run_until(std::int64_t) override {}
  std::int64_t next_ns() const override { return wire_.next_ns(); }
  std::optional<Outgoing> take(std::int64_t now_ns) override { return wire_.take(now_ns); }
  void inject(const Fault& fault, std::int64_t now_ns) override { wire_.inject(fault, now_ns); }
  bool hung_up(std::int64_t now_ns) override { return wire_.lasting(FaultKind::kHangUp, now_ns); }

 private:
  std::string answer(std::string_view path, std::int64_t now_ns);
  void apply(std::string_view query);

  NetFtBox& box_;
  EmulatedWire wire_;
  std::map<int, std::string> requests_;  // by peer, until they are whole
  std::int64_t last_request_ns_ = -1'000'000'000;
};

}  // namespace tactelier::devices
