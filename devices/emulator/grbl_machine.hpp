#pragma once
// The mechanics behind an emulated GRBL or Marlin: a queue of straight moves, trapezoidal speeds,
// feed hold. Own kinematics, shared with nothing that reconstructs positions from commands. Lengths
// in mm, as in the firmwares.

#include <array>
#include <cstdint>
#include <deque>

namespace tactelier::devices {

using Axes_mm = std::array<double, 3>;

/// A straight move, or a dwell.
struct MachineBlock {
  Axes_mm target_mm{};
  double speed_mm_per_s = 0;          // commanded
  double acceleration_mm_per_s2 = 0;  // along the path
  double dwell_s = 0;
  bool jog = false;
};

class GrblMachine {
 public:
  /// Usable blocks of the planner, as the firmware reports them when idle.
  static constexpr std::size_t kBlocks = 15;
  /// What has been prepared ahead still runs after a hold was asked for.
  static constexpr std::int64_t kPrepared_ns = 50'000'000;

  void start(std::int64_t now_ns) { now_ns_ = now_ns; }
  void run_until(std::int64_t now_ns);
  /// When the picture changes next; kNever at rest.
  std::int64_t next_ns() const;

  bool full() const { return blocks_.size() >= kBlocks; }
  bool empty() const { return blocks_.empty(); }
  std::size_t free_blocks() const { return kBlocks - blocks_.size(); }
  void add(const MachineBlock& block) { blocks_.push_back(block); }
  /// Where the last queued move ends.
  Axes_mm planned_mm() const;

  /// Decelerates once the prepared motion has run; held() when it stands.
  void hold();
  void resume();
  bool holding() const { return holding_; }
  bool held() const { return holding_ && speed_mm_s_ == 0 && now_ns_ >= hold_from_ns_; }
  /// Forgets all moves; where it is moving, it stops dead.
  void halt();
  bool jogging() const { return !blocks_.empty() && blocks_.front().jog; }
  bool moving() const { return speed_mm_s_ > 0; }

  const Axes_mm& position_mm() const { return position_mm_; }
  void place(const Axes_mm& position_mm) { position_mm_ = position_mm; }
  double speed_mm_per_s() const { return speed_mm_s_; }

 private:
  void step(double dt_s);
  double speed_after(double dt_s) const;
  void move_by(double distance_mm);

  std::deque<MachineBlock> blocks_;
  Axes_mm position_mm_{};
  double speed_mm_s_ = 0;
  double dwelt_s_ = 0;
  bool holding_ = false;
  std::int64_t hold_from_ns_ = 0;
  std::int64_t now_ns_ = 0;
};

}  // namespace tactelier::devices
