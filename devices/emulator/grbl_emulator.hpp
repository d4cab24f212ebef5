#pragma once
// A GRBL 1.1 controller with its machine: line buffer, planner, real-time bytes, settings, alarms,
// homing, soft limits, status reports as the firmware formats them. It answers after realistic
// delays over a line of 115200 baud. Its dialects differ in how they stop (grbl_dialect.hpp). Not
// there: arcs, probing, coordinate systems other than the machine's own, spindle and coolant; such
// lines get error:20, as from a build without them.

#include <map>
#include <optional>
#include <random>
#include <string>

#include "devices/emulator/emulated_wire.hpp"
#include "devices/emulator/grbl_dialect.hpp"
#include "devices/emulator/stage_emulator.hpp"
#include "devices/grbl/grbl_protocol.hpp"

namespace tactelier::devices {

struct GrblBoard {
  GrblDialect dialect = GrblDialect::kGrbl;
  double baud = 115200;
  std::map<int, double> settings;  // changes to the generic defaults, "$110" as 110
  Axes_mm power_up_mm{};           // where the axes really stand, from the switches at zero
  bool switch_missing = false;     // homing ends in ALARM:9, and the firmware resets itself
};

class GrblEmulator final : public StageEmulator {
 public:
  GrblEmulator(const GrblBoard& board, std::int64_t power_up_ns);

  void receive(ByteView bytes, int peer, std::int64_t now_ns) override;
  void run_until(std::int64_t now_ns) override;
  std::int64_t next_ns() const override;
  std::optional<Outgoing> take(std::int64_t now_ns) override { return wire_.take(now_ns); }

  /// Besides the wire's own: kAlarm closes a limit switch (ALARM:1), kReset is a power dip with a
  /// boot of 1.5 s, kWrongData loses 40 steps of Z, kDeaf hears neither "!" nor 0x85.
  void inject(const Fault& fault, std::int64_t now_ns) override { wire_.inject(fault, now_ns); }
  std::vector<PendingFault> faults(std::int64_t now_ns) const override {
    return wire_.faults(now_ns);
  }
  void mend() override { wire_.mend(); }
  bool hung_up(std::int64_t now_ns) override { return wire_.lasting(FaultKind::kHangUp, now_ns); }

  /// From the switches.
  Axes_mm true_position_mm() const override;
  double setting(int number) const;
  /// How often a "?" has come.
  int asked() const { return asked_; }
  bool moving() const { return machine_.moving(); }

 private:
  enum class Phase { kBoot, kReady, kAlarm, kCritical, kHoming };

  void boot(std::int64_t now_ns);
  void soft_reset(std::int64_t now_ns);
  void banner(std::int64_t now_ns);
  void say(std::string_view line, std::int64_t now_ns);
  void alarm(int number, Phase phase, std::int64_t now_ns);
  void real_time(std::uint8_t byte, std::int64_t now_ns);
  // The stops of the dialects: grbl_stops.cpp.
  void feed_hold();
  void jog_cancel();
  void begin_cancel();
  void finish_cancel();
  void stop_behind_line(bool was_idle);
  bool jogging() const { return phase_ == Phase::kReady && machine_.jogging(); }
  /// Whether a reset now would leave steps unaccounted for.
  bool steps() const;
  void report(std::int64_t now_ns);
  std::string state_name() const;
  std::string axes(const Axes_mm& position_mm) const;
  Axes_mm whole_steps(Axes_mm position_mm) const;
  /// Forgets all moves, on a whole step.
  void stand_still();
  /// Lines that wait, as far as planner, dwell and phase allow.
  void process(std::int64_t now_ns);
  /// The line in the parser, once its time has come; false while it waits.
  bool finish_line(std::int64_t now_ns);
  void forget_lines();
  bool ready_for_lines(std::int64_t now_ns) const;
  void execute(const std::string& line, std::int64_t now_ns);
  /// "ok", "error:N", or nothing when the answer comes later.
  std::string system_command(const std::string& line, std::int64_t now_ns);
  std::string store(std::string_view assignment);
  std::string motion(std::string_view line, bool jog);
  /// Where a line's relative way begins.
  Axes_mm line_from_mm() const { return parsing_ ? parsing_->from_mm : machine_.planned_mm(); }
  void print_settings(std::int64_t now_ns);
  void print_offsets(std::int64_t now_ns);
  void begin_homing(std::int64_t now_ns);
  void finish_homing(std::int64_t now_ns);
  bool outside_travel(const Axes_mm& target_mm) const;
  bool moves_or_holds() const { return !machine_.empty() || machine_.holding(); }

  GrblBoard board_;
  int asked_ = 0;
  EmulatedWire wire_;
  GrblMachine machine_;
  std::map<int, double> settings_;
  std::mt19937 random_{1};  // answer delays
  Phase phase_ = Phase::kBoot;
  std::int64_t now_ns_ = 0, ready_ns_ = 0, report_ns_ = kNever, homed_ns_ = kNever;
  std::string waiting_;  // received bytes that no line was made of yet: the ring of 128
  /// A line takes its time from the buffer into the planner, and a stop may fall into it.
  struct Parsing {
    std::string line;
    Axes_mm from_mm{};  // where the planned moves ended when it was read
    std::int64_t due_ns = 0;
  };
  std::optional<Parsing> parsing_;
  StopRules rules_;
  bool cancelling_ = false;   // a jog decelerates and will be forgotten
  bool cancel_mark_ = false;  // stands in the emptied buffer instead of the lines (grblHAL)
  bool stop_waits_ = false;   // came while a line was carried out (FluidNC)
  bool absolute_ = true, inches_ = false, rapid_ = true;
  double feed_mm_min_ = 0;
  int reports_to_offset_ = 0, reports_to_override_ = 0;
  bool soft_limit_hit_ = false;
  bool dwelling_ = false;  // a dwell owes its "ok"
  Axes_mm real_minus_reported_mm_{};
};

}  // namespace tactelier::devices
