#pragma once
// A XELA uSkin board on CAN: once it is triggered, a message per tactel, round after round. Before
// it a CAN adapter that speaks slcan, whose channel must be open at 1 Mbit/s, or the bus as Linux
// hands it over.

#include "devices/emulator/emulated_wire.hpp"
#include "devices/emulator/framed_emulator.hpp"
#include "devices/xela/slcan.hpp"
#include "devices/xela/socketcan.hpp"
#include "devices/xela/uskin_protocol.hpp"

namespace tactelier::devices {

struct UskinBoard {
  int tactels = 16;
  int board = 1;
  std::uint32_t first_id = kUskinFirstId;
  double rate_hz = 100;  // rounds a second
  double baud = 3e6;     // of the adapter's line
  bool adapter = true;   // false: messages are struct can_frame
};

class UskinEmulator final : public Emulator {
 public:
  /// `counts`: X, Y, Z of each tactel.
  UskinEmulator(const UskinBoard& board, CountsSource counts, std::int64_t power_up_ns);

  void receive(ByteView bytes, int peer, std::int64_t now_ns) override;
  void run_until(std::int64_t now_ns) override;
  std::int64_t next_ns() const override;
  std::optional<Outgoing> take(std::int64_t now_ns) override { return wire_.take(now_ns); }

  /// Besides the wire's own, whose messages are those of one tactel: kSaturate sends 65535
  /// everywhere, kReset closes the channel and ends the stream, kAlarm refuses the next line
  /// (without adapter: nothing), kWrongData repeats the last round's readings.
  void inject(const Fault& fault, std::int64_t now_ns) override { wire_.inject(fault, now_ns); }
  std::vector<PendingFault> faults(std::int64_t now_ns) const override {
    return wire_.faults(now_ns);
  }
  void mend() override { wire_.mend(); }
  bool hung_up(std::int64_t now_ns) override { return wire_.lasting(FaultKind::kHangUp, now_ns); }

  std::int64_t rounds_sent() const { return rounds_sent_; }

 private:
  void obey(std::string_view line, std::int64_t now_ns);
  void say(std::string_view text, std::int64_t now_ns);
  void send_round(std::int64_t time_ns);
  void hear(const CanMessage& message, std::int64_t now_ns);

  UskinBoard board_;
  CountsSource counts_;
  EmulatedWire wire_;
  std::string heard_;
  bool megabit_ = false, open_ = false, triggered_ = false;
  std::int64_t now_ns_, next_round_ns_ = 0;
  std::vector<double> last_;
  std::int64_t rounds_sent_ = 0;
};

}  // namespace tactelier::devices
