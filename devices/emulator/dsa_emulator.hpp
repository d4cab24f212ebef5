#pragma once
// A Weiss DSACON32-m with its matrices: answers the commands of dsa_protocol.hpp with the
// controller's own words and streams full frames with its millisecond clock. Masks (0x04, 0xAB),
// descriptor, state and features aren't documented well enough and answered "command unknown".

#include "devices/emulator/emulated_wire.hpp"
#include "devices/emulator/framed_emulator.hpp"
#include "devices/weiss/dsa_protocol.hpp"

namespace tactelier::devices {

/// The six of Schunk's SDH hand: of each finger the proximal one and the distal one.
std::vector<DsaMatrix> sdh_matrices();

/// 10 Mbyte/s: a stream that keeps its order, as a serial line does.
constexpr double kNetworkBaud = 100e6;

struct DsaBoard {
  std::vector<DsaMatrix> matrices{DsaMatrix{}};
  double baud = 115200;  // kNetworkBaud behind TCP
  double fastest_hz = kDsaFastest_hz;
  /// Frames come as often as they are asked for, at most fastest_hz; false: at fastest_hz whatever
  /// is asked for, as SDHLibrary-CPP has it.
  bool keeps_rate = false;
  std::uint16_t firmware = 289;
  double clock_ppm = 0;
  std::uint32_t first_ms = 0;
};

class DsaEmulator final : public Emulator {
 public:
  /// `counts`: of all matrices, one after the other. It has been switched on for long.
  DsaEmulator(DsaBoard board, CountsSource counts, std::int64_t power_up_ns);

  void receive(ByteView bytes, int peer, std::int64_t now_ns) override;
  void run_until(std::int64_t now_ns) override;
  std::int64_t next_ns() const override;
  std::optional<Outgoing> take(std::int64_t now_ns) override { return wire_.take(now_ns); }

  /// Besides the wire's own: kSaturate sends 4095 everywhere, kReset ends the stream, forgets what
  /// was set, begins the clock anew and hears nothing for 8 s, kAlarm answers the next command with
  /// "no sensor", kWrongData repeats the last frame's cells.
  void inject(const Fault& fault, std::int64_t now_ns) override { wire_.inject(fault, now_ns); }
  std::vector<PendingFault> faults(std::int64_t now_ns) const override {
    return wire_.faults(now_ns);
  }
  void mend() override { wire_.mend(); }
  bool hung_up(std::int64_t now_ns) override { return wire_.lasting(FaultKind::kHangUp, now_ns); }

  std::int64_t frames_sent() const { return frames_sent_; }
  /// Frames that the line had no time for.
  std::int64_t frames_skipped() const { return frames_skipped_; }
  /// How often the memory that bears 100 000 writes was written.
  int persistent_writes() const { return persistent_writes_; }
  double sensitivity(std::size_t matrix) const { return settings_.at(matrix).sensitivity; }
  int threshold(std::size_t matrix) const { return settings_.at(matrix).threshold; }

 private:
  struct Settings {
    double sensitivity, factory_sensitivity;
    int threshold, factory_threshold;
  };
  void answer(const DsaFrame& request, std::int64_t now_ns);
  void acquire(const Bytes& payload, std::int64_t now_ns);
  /// kAdjustSensitivity and kSetThreshold begin alike: flags and matrix.
  void adjust(const DsaFrame& request, std::int64_t now_ns);
  void reply(DsaCommand id, std::uint16_t status, const Bytes& rest, std::int64_t now_ns);
  Bytes controller_info() const;
  Bytes sensor_info() const;
  void restart(std::int64_t now_ns);
  void send_frame(std::int64_t time_ns);
  WeissReadings measure(std::int64_t time_ns);

  DsaBoard board_;
  CountsSource counts_;
  EmulatedWire wire_;
  DsaFrameFinder heard_;
  bool streaming_ = false, rle_ = false;
  std::int64_t period_ns_ = 0, power_up_ns_, now_ns_, next_frame_ns_ = 0, line_free_ns_ = 0;
  std::int64_t hears_from_ns_, next_greeting_ns_;
  int greetings_ = 0;  // of those that it prints as it starts
  std::vector<Settings> settings_;
  std::vector<double> last_;
  std::int64_t frames_sent_ = 0, frames_skipped_ = 0;
  int persistent_writes_ = 0;
};

}  // namespace tactelier::devices
