#pragma once
// What a three-axis stage can do, whoever made it. Positions are in the rig's stage
// frame, z up.

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "devices/link/link.hpp"
#include "libcalib/result.hpp"

namespace tactelier::devices {

using StagePosition = std::array<double, 3>;  // x, y, z [m], z up

/// What a controller says that it does.
enum class StageState {
  kIdle,
  kRun,
  kHolding,  // still decelerating
  kHold,     // stopped, and would go on if told to
  kJog,
  kAlarm,
  kDoor,   // its safety door is open
  kCheck,  // takes moves and makes none
  kHome,
  kSleep,
};

/// Where the stage said it was. The stamp is the midpoint of request and reply.
struct StageSample {
  std::int64_t host_time_ns = 0;
  StagePosition position_m{};
  StageState state{};
  bool trusted = false;  // homed, and nothing has happened since that could have lost steps
};

struct StageTravel {
  StagePosition low_m{}, high_m{};
  StagePosition most_speed_m_per_s{}, acceleration_m_per_s2{};
  double least_speed_m_per_s = 0;
  StagePosition step_m{};  // of the motor; 0: the stage does not say

  bool operator==(const StageTravel&) const = default;
};

class MotionStage {
 public:
  virtual ~MotionStage() = default;

  /// Finds the reference switches, Z first and up. Afterwards positions are trusted and a lock that
  /// a stop left is off.
  virtual Result<void> home() = 0;

  /// Returns once the move has been accepted, not when it ends. Nothing is sent when the target is
  /// outside the travel, the speed is one the stage can't keep, the position isn't trusted, or a
  /// stop has locked the stage.
  virtual Result<void> move_to(const StagePosition& target_m, double speed_m_per_s) = 0;

  /// Moves by hand, as long as calls come; stop_jog() decelerates and forgets the rest.
  virtual Result<void> jog(const StagePosition& by_m, double speed_m_per_s) = 0;
  virtual Result<void> stop_jog() = 0;

  /// Asks for the position when it is time to, listens until `timeout`, and appends what came.
  /// Fails with kDeviceFault on an alarm, with kTimeout at the end of every call while the stage is
  /// silent, with kIo when the wire is gone; after any of these the position isn't trusted any
  /// more.
  virtual Result<void> poll(std::vector<StageSample>& into, Timeout timeout) = 0;
  virtual Result<void> wait_until_idle(Timeout timeout) = 0;

  /// Decelerates, forgets all moves, retracts to the safe height and locks. Keeps the position.
  virtual Result<void> stop() = 0;
  /// Stops dead, raises the tool, locks. The position is lost.
  virtual Result<void> abort() = 0;
  virtual void unlock() = 0;

  /// Any thread, also while another call waits for the stage: one write, and back at once. The
  /// first decelerates and holds, the second stops dead and costs the position. Nothing else is
  /// done: stop() or abort() must follow, from the thread that owns the stage. Until then, or until
  /// unlock(), no line is sent, and a call that waits for one's answer fails with kDeviceFault.
  virtual Result<void> hold_now() = 0;
  virtual Result<void> reset_now() = 0;

  /// v/a of what it was last told to do: how long it takes to stop. Any thread; 0 when unknown.
  virtual double braking_s() const { return 0; }
  /// Called with every report as it is read, also by the calls that wait for the stage themselves,
  /// in their thread.
  virtual void on_report(std::function<void(const StageSample&)>) {}

  virtual bool position_trusted() const = 0;
  /// Why it isn't: "not homed since it was switched on", "alarm 1: hard limit switch".
  virtual std::string position_doubt() const = 0;
  /// It has said nothing for a second though asked, or left a line without an answer, and hasn't
  /// been heard since. What it was told before may still be going on. Ask in the thread that polls.
  virtual bool silent() const { return false; }
  virtual const StageTravel& travel() const = 0;
};

}  // namespace tactelier::devices
