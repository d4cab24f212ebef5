#pragma once
// A board or sensor that a description covers: sends frames of its own accord or when asked, paced
// by its baud rate, with a clock and a frame number of its own.

#include <functional>
#include <string>

#include "devices/emulator/emulated_wire.hpp"
#include "devices/framed/frame_description.hpp"

namespace tactelier::devices {

/// Readings of all tactels at a time, as TactileFrame::counts.
using CountsSource = std::function<std::vector<double>(std::int64_t time_ns)>;

/// The bytes of one frame on the wire, marks, escapes and check included. What the description
/// doesn't name is zero.
/// `status`: left out, the healthy word.
Bytes encode_frame(const DeviceDescription& device, const std::vector<double>& counts,
                   std::uint64_t tick, std::uint64_t sequence,
                   std::optional<std::uint32_t> status = {});

struct FramedBoard {
  double rate_hz = 100;
  double clock_ppm = 0;
  std::uint64_t first_tick = 0, first_sequence = 0;
  std::vector<double> at_end = {};  // readings at the end of their range; empty: 4095 each
};

class FramedEmulator final : public Emulator {
 public:
  FramedEmulator(DeviceDescription device, const FramedBoard& board, CountsSource counts,
                 std::int64_t power_up_ns);

  void receive(ByteView bytes, int peer, std::int64_t now_ns) override;
  void run_until(std::int64_t now_ns) override;
  std::int64_t next_ns() const override;
  std::optional<Outgoing> take(std::int64_t now_ns) override { return wire_.take(now_ns); }

  /// Besides the wire's own: kSaturate sends the readings at their end and sets the status bits for
  /// it, kAlarm sets the first bit that makes readings unusable until kReset, which begins clock
  /// and frame numbers anew and ends a stream that was asked for; kWrongData sends the last frame's
  /// readings again.
  void inject(const Fault& fault, std::int64_t now_ns) override { wire_.inject(fault, now_ns); }
  std::vector<PendingFault> faults(std::int64_t now_ns) const override {
    return wire_.faults(now_ns);
  }
  void mend() override;
  bool hung_up(std::int64_t now_ns) override { return wire_.lasting(FaultKind::kHangUp, now_ns); }

  std::int64_t frames_sent() const { return frames_sent_; }
  double rate_hz() const { return board_.rate_hz; }

 private:
  void send_frame(std::int64_t time_ns);
  std::optional<std::uint32_t> status_at(std::int64_t time_ns) const;
  /// Without being asked.
  bool streams_by_itself() const { return device_.start.empty() && device_.poll.empty(); }

  DeviceDescription device_;
  FramedBoard board_;
  CountsSource counts_;
  EmulatedWire wire_;
  std::string heard_;
  bool streaming_, alarm_ = false;
  std::int64_t power_up_ns_, now_ns_, next_frame_ns_;
  std::uint64_t sequence_ = 0;
  std::int64_t frames_sent_ = 0;
  std::vector<double> last_;
};

}  // namespace tactelier::devices
