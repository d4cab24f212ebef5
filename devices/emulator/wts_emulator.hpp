#pragma once
// A Weiss WTS array: answers the commands of wts_protocol.hpp with the device's own words and
// streams frames with its millisecond clock. Masks (0x31 to 0x33) are not documented well enough
// and answered "command unknown".

#include "devices/emulator/emulated_wire.hpp"
#include "devices/emulator/framed_emulator.hpp"
#include "devices/weiss/wts_protocol.hpp"

namespace tactelier::devices {

struct WtsBoard {
  int columns = 6, rows = 14;
  int pitch_um = 3400;
  double baud = 115200;
  double fastest_hz = 60;  // with period 0
  double clock_ppm = 0;
  std::uint32_t first_ms = 0;
};

class WtsEmulator final : public Emulator {
 public:
  WtsEmulator(const WtsBoard& board, CountsSource counts, std::int64_t power_up_ns);

  void receive(ByteView bytes, int peer, std::int64_t now_ns) override;
  void run_until(std::int64_t now_ns) override;
  std::int64_t next_ns() const override;
  std::optional<Outgoing> take(std::int64_t now_ns) override { return wire_.take(now_ns); }

  /// Besides the wire's own: kSaturate sends 4095 everywhere, kReset stops the stream and begins
  /// the clock anew, kAlarm answers the next command with "no sensor", kWrongData repeats the last
  /// frame's cells.
  void inject(const Fault& fault, std::int64_t now_ns) override { wire_.inject(fault, now_ns); }
  std::vector<PendingFault> faults(std::int64_t now_ns) const override {
    return wire_.faults(now_ns);
  }
  void mend() override { wire_.mend(); }
  bool hung_up(std::int64_t now_ns) override { return wire_.lasting(FaultKind::kHangUp, now_ns); }

  std::int64_t frames_sent() const { return frames_sent_; }

 private:
  void answer(const WtsFrame& request, std::int64_t now_ns);
  void reply(WtsCommand id, std::uint16_t status, const Bytes& rest, std::int64_t now_ns);
  WeissReadings measure(std::int64_t time_ns);
  Bytes matrix_info() const;

  WtsBoard board_;
  CountsSource counts_;
  EmulatedWire wire_;
  WtsFrameFinder heard_;
  bool streaming_ = false, rle_ = false;
  std::int64_t period_ns_ = 0, power_up_ns_, now_ns_, next_frame_ns_ = 0;
  std::uint16_t threshold_ = 0;
  std::uint8_t gain_ = 128;
  std::vector<double> tare_, last_;
  std::int64_t frames_sent_ = 0;
};

}  // namespace tactelier::devices
