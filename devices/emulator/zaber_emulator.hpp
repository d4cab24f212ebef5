#pragma once
// Zaber axes with their controllers, as far as a stage needs them: messages with ids and checksums,
// replies with status and the warning flag of the highest priority, "move abs" and "move rel" with
// speed and acceleration of their own, "move vel", "home", "stop", "estop", "warnings", the
// settings that a stage asks for. One controller with three axes, or three devices in a chain. By
// the ASCII Protocol Manual; what it says and what only seems so tells docs/rigs/zaber.md. Not
// there: streams, lockstep, triggers, parking, joysticks; such commands are refused as by a device
// without them.

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "devices/emulator/axis_machine.hpp"
#include "devices/emulator/emulated_wire.hpp"
#include "devices/emulator/stage_emulator.hpp"

namespace tactelier::devices {

struct ZaberBoard {
  double baud = 115200;
  std::string firmware = "7.34";
  bool chained = false;  // three devices of one axis each, addresses 1 to 3
  /// Way of a microstep; negative: the count of 0, to which the axis homes, lies at its upper end.
  Axes_mm mm_per_step{0.000125, 0.000125, -0.000125};
  Axes_mm travel_mm{100, 100, 50}, most_mm_per_s{25, 25, 25}, acceleration_mm_per_s2{100, 100, 100};
  Axes_mm power_up_mm{5, 5, 5};  // how far from where they home to the axes really stand
  double home_mm_per_s = 5;
  int resolution = 64;
  bool encoders = false;
  bool fourth_axis = false;     // the controller has one that nobody homes
  bool checksums = false;       // comm.checksum as it was left by somebody
  bool switch_missing = false;  // homing ends in FE
};

class ZaberEmulator final : public StageEmulator {
 public:
  ZaberEmulator(const ZaberBoard& board, std::int64_t power_up_ns);

  void receive(ByteView bytes, int peer, std::int64_t now_ns) override;
  void run_until(std::int64_t now_ns) override;
  std::int64_t next_ns() const override;
  std::optional<Outgoing> take(std::int64_t now_ns) override { return wire_.take(now_ns); }

  /// Besides the wire's own: kAlarm stalls the third axis (FS), kReset is a power dip with a boot
  /// of 1 s, kWrongData loses 40 um of the third axis, kDeaf heeds no "stop".
  void inject(const Fault& fault, std::int64_t now_ns) override { wire_.inject(fault, now_ns); }
  std::vector<PendingFault> faults(std::int64_t now_ns) const override {
    return wire_.faults(now_ns);
  }
  void mend() override { wire_.mend(); }
  bool hung_up(std::int64_t now_ns) override { return wire_.lasting(FaultKind::kHangUp, now_ns); }

  /// From where the axes home to, in the direction of the rig's axes.
  Axes_mm true_position_mm() const override;
  bool moving() const;
  /// Of the axis: "maxspeed", "knob.enable", ...
  std::string setting(std::size_t axis, const std::string& name) const {
    return axes_[axis].settings.at(name);
  }
  const std::string& device_setting(const std::string& name) const { return settings_.at(name); }
  /// A flag comes or goes, whatever may have caused it.
  void set_flag(std::size_t axis, const std::string& flag, bool on);
  /// Commands that were carried out, without address and id: "move abs 1000 ...".
  const std::vector<std::string>& done() const { return done_; }

 private:
  struct Axis {
    AxisMachine machine;
    std::map<std::string, std::string> settings;
    std::set<std::string> flags;
    double real_minus_counted = 0;
    bool homing = false;
  };
  struct Waiting {
    std::string line;
    std::int64_t due_ns;
  };
  struct Message {
    int device = 0, axis = 0;
    std::string id;  // as it is sent back: "07 "
    std::vector<std::string> words;
  };
  struct Answer {
    bool accepted = true;
    std::string data = "0";
  };

  void boot(std::int64_t now_ns);
  void carry_out(const std::string& line, std::int64_t now_ns);
  std::optional<Message> message_of(std::string line) const;
  void reply(const Message& message, int device, const Answer& answer, std::int64_t now_ns);
  void say(std::string text, std::int64_t now_ns);
  int devices() const { return board_.chained ? 3 : 1; }
  /// Axes of a device, and of those the one that is meant or all.
  std::vector<std::size_t> axes_of(int device, int axis) const;
  std::string flag_of(const std::vector<std::size_t>& axes) const;
  // zaber_commands.cpp
  Answer execute(const Message& message, int device, std::int64_t now_ns);
  Answer get(const std::string& name, int device, int axis) const;
  Answer set(const std::string& name, const std::string& value, int device, int axis);
  Answer move(const Message& message, std::size_t axis);
  void home(std::size_t axis);
  void end_homing(std::size_t axis);
  double number(std::size_t axis, const std::string& name) const;

  ZaberBoard board_;
  EmulatedWire wire_;
  std::array<Axis, 3> axes_;
  std::map<std::string, std::string> settings_;  // of all devices
  std::mt19937 random_{1};
  std::int64_t now_ns_ = 0, ready_ns_ = 0;
  std::string received_;
  std::deque<Waiting> lines_;
  std::vector<std::string> done_;
};

}  // namespace tactelier::devices
