#pragma once
// A printer's Marlin 2.1.2 with its machine, as far as a stage needs it: the receive buffer and the
// emergency parser before it, line numbers and checksums, the queue of four lines, the planner with
// its delay of a first move, M410 and the second in which it reads no line, M112, homing, position
// reports, the settings' reports. By the firmware's sources (files below Marlin/src) and by what
// its own code did when it was tried (docs/devices.md). Not there: extruder and heaters, levelling,
// arcs, SD card; what it doesn't know it answers as the firmware does ("echo:Unknown command").

#include <array>
#include <deque>
#include <optional>
#include <random>
#include <string>

#include "devices/emulator/emulated_wire.hpp"
#include "devices/emulator/stage_emulator.hpp"

namespace tactelier::devices {

struct MarlinBoard {
  double baud = 115200;
  Axes_mm steps_per_mm{80, 80, 400}, most_mm_per_s{300, 300, 5};
  Axes_mm acceleration_mm_per_s2{3000, 3000, 100}, travel_mm{200, 200, 40};
  double travel_acceleration_mm_per_s2 = 3000;
  Axes_mm power_up_mm{5, 5, 30};  // where the axes really stand, from the ends of x, y and z
  double home_mm_per_s = 4;       // of Z; X and Y ten times as fast
  // How it was built:
  bool emergency_parser = true;  // EMERGENCY_PARSER
  bool realtime = true;          // M114_REALTIME
  int least_steps = 1;           // MIN_STEPS_PER_SEGMENT; 6 in a default configuration
  bool homes_down = false;       // Z_HOME_DIR -1, with a lower switch
  bool corexy = false;
  bool switch_missing = false;  // homing ends in kill()
};

class MarlinEmulator final : public StageEmulator {
 public:
  MarlinEmulator(const MarlinBoard& board, std::int64_t power_up_ns);

  void receive(ByteView bytes, int peer, std::int64_t now_ns) override;
  void run_until(std::int64_t now_ns) override;
  std::int64_t next_ns() const override;
  std::optional<Outgoing> take(std::int64_t now_ns) override { return wire_.take(now_ns); }

  /// Besides the wire's own: kAlarm hits a limit switch, kReset is a power dip with a boot of
  /// 1.5 s (and what the reset button does to a printer that has halted), kWrongData loses 40 steps
  /// of Z, kDeaf doesn't hear M410.
  void inject(const Fault& fault, std::int64_t now_ns) override { wire_.inject(fault, now_ns); }
  std::vector<PendingFault> faults(std::int64_t now_ns) const override {
    return wire_.faults(now_ns);
  }
  void mend() override { wire_.mend(); }
  bool hung_up(std::int64_t now_ns) override { return wire_.lasting(FaultKind::kHangUp, now_ns); }

  Axes_mm true_position_mm() const override;
  bool moving() const { return machine_.moving() || !first_.empty(); }
  /// Moves in the planner.
  std::size_t planned() const {
    return GrblMachine::kBlocks - machine_.free_blocks() + first_.size();
  }
  /// Seconds until the motors are switched off at rest; 0: never.
  double motors_off_s() const { return motors_off_s_; }

 private:
  struct Words;
  struct Running {
    std::string line;
    std::int64_t due_ns;
  };

  void boot(std::int64_t now_ns);
  void start(std::int64_t now_ns);
  void say(std::string_view line, std::int64_t now_ns);
  /// The emergency parser: feature/e_parser.h, update().
  void look_at(char c, std::int64_t now_ns);
  void act(std::int64_t now_ns);
  void quick_stop(std::int64_t now_ns);
  void kill(std::string_view why, std::int64_t now_ns);
  void limit_switch(std::int64_t now_ns);
  /// gcode/queue.cpp, get_serial_commands().
  void read_lines(std::int64_t now_ns);
  bool right_number(const std::string& line, std::int64_t now_ns);
  void ask_again(std::string_view why, std::int64_t now_ns);
  void process(std::int64_t now_ns);
  bool waits(std::int64_t now_ns) const;
  // marlin_commands.cpp
  /// False while it has to wait for room in the planner.
  bool execute(const std::string& line, std::int64_t now_ns);
  bool move(const Words& words, std::int64_t now_ns);
  void report_position(bool asked_real, std::int64_t now_ns);
  void report_settings(std::string_view code, std::int64_t now_ns);
  void report_firmware(std::int64_t now_ns);
  void report_switches(std::int64_t now_ns);
  void begin_homing(const Words& words, std::int64_t now_ns);
  void finish_homing(std::int64_t now_ns);
  void deliver_first(std::int64_t now_ns);
  void switch_motors_off(std::int64_t now_ns);

  Axes_mm whole_steps(Axes_mm position_mm) const;
  std::array<long long, 3> steps(const Axes_mm& position_mm) const;

  MarlinBoard board_;
  EmulatedWire wire_;
  GrblMachine machine_;
  std::mt19937 random_{1};
  std::int64_t now_ns_ = 0, ready_ns_ = 0;
  bool booting_ = true, killed_ = false;
  std::string state_;  // what the emergency parser has seen of a line; "-": it waits for its end
  bool stop_seen_ = false, kill_seen_ = false, homing_fails_ = false;
  std::int64_t act_ns_ = kNever, dead_ns_ = kNever, clean_ns_ = 0;
  std::string received_;           // the receive buffer
  std::deque<std::string> lines_;  // the queue
  std::optional<Running> running_;
  long long last_number_ = 0;
  std::deque<MachineBlock> first_;  // planned and not yet begun
  std::int64_t begin_ns_ = kNever, homed_ns_ = kNever, busy_ns_ = kNever, rests_ns_ = 0;
  std::array<bool, 3> homing_axes_{}, homed_{};
  bool absolute_ = true, soft_limits_ = true;
  double feed_mm_per_s_ = 25, busy_s_ = 2, motors_off_s_ = 120;
  Axes_mm current_mm_{}, planned_mm_{}, real_minus_reported_mm_{};
};

}  // namespace tactelier::devices
