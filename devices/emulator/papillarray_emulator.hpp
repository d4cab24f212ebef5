#pragma once
// A Contactile controller with PapillArrays: packets of its own accord, rates and bias by command.
// Slip commands only add their blocks to the packets, without an estimate in them.

#include "devices/contactile/papillarray_protocol.hpp"
#include "devices/emulator/emulated_wire.hpp"
#include "devices/emulator/framed_emulator.hpp"

namespace tactelier::devices {

struct PapillArrayBoard {
  int sensors = 1;
  int pillars = 9;     // of each
  int rate_hz = 1000;  // after power-up
  double clock_ppm = 0;
  std::uint32_t first_number = 0;
};

class PapillArrayEmulator final : public Emulator {
 public:
  /// `forces`: X, Y, Z of each pillar, in N, one sensor after the other.
  PapillArrayEmulator(const PapillArrayBoard& board, CountsSource forces, std::int64_t power_up_ns);

  void receive(ByteView bytes, int peer, std::int64_t now_ns) override;
  void run_until(std::int64_t now_ns) override;
  std::int64_t next_ns() const override;
  std::optional<Outgoing> take(std::int64_t now_ns) override { return wire_.take(now_ns); }

  /// Besides the wire's own: kSaturate sends the ends of the ranges (4 N, 15 N), kReset begins
  /// numbers and clock anew at the rate of power-up, kWrongData sends the last forces again. kAlarm
  /// changes nothing: its packets have no word for trouble.
  void inject(const Fault& fault, std::int64_t now_ns) override { wire_.inject(fault, now_ns); }
  std::vector<PendingFault> faults(std::int64_t now_ns) const override {
    return wire_.faults(now_ns);
  }
  void mend() override { wire_.mend(); }
  bool hung_up(std::int64_t now_ns) override { return wire_.lasting(FaultKind::kHangUp, now_ns); }

  std::int64_t packets_sent() const { return packets_sent_; }
  int rate_hz() const { return rate_hz_; }

 private:
  void obey(std::string_view line, std::int64_t now_ns);
  void send_packet(std::int64_t time_ns);
  std::vector<double> measure(std::int64_t time_ns);
  std::int64_t period_ns() const;

  PapillArrayBoard board_;
  CountsSource forces_;
  EmulatedWire wire_;
  std::string heard_;
  int rate_hz_;
  bool slip_ = false;
  std::vector<double> bias_, last_;
  std::uint32_t number_;
  std::int64_t power_up_ns_, now_ns_, next_packet_ns_, packets_sent_ = 0;
};

}  // namespace tactelier::devices
