#pragma once
// Before anything goes down, once per power-up: somebody pushes the tip and hangs a known weight on
// it, so that axes, signs and gain of the force sensor are proven. What a file says was proved
// elsewhere or earlier counts nothing. Of the thread that moves the rig; there is no mutex.

#include <array>

#include "devices/acquisition/live_rig.hpp"
#include "devices/motion/hand_push.hpp"
#include "devices/motion/operator_interface.hpp"
#include "devices/server/rig_file_store.hpp"
#include "devices/server/task_slot.hpp"

namespace tactelier::rig {

class ForceProof {
 public:
  /// All outlive this.
  ForceProof(LiveRig& live, RigFileStore& file, OperatorInterface& operator_at_rig)
      : live_(live), file_(file), operator_(operator_at_rig) {}

  /// Does nothing once it has succeeded. Fails with kDeviceFault, saying what was felt instead.
  Result<void> prove(const RunningTask& task);

  /// The weight alone, whenever somebody likes: gain, axis and sign. The rig file keeps the mass as
  /// its check_mass_g, so that it is asked for at each power-up. What was felt, for the client.
  Result<nlohmann::json> weigh(const RunningTask& task, double mass_kg);

 private:
  using Forces = std::array<double, 3>;  // N, the sensor's axes

  Result<void> push_each_way(const RunningTask& task, const ForceAxes& axes);
  Result<void> push_one(const RunningTask& task, Push push, const ForceAxes& axes);
  /// The rig file's check_mass_g on the tip; nothing without one, or where it was weighed already.
  Result<void> hang_weight(const RunningTask& task, const ForceAxes& axes);
  /// Felt along the pull.
  Result<double> hang(const RunningTask& task, double mass_kg, const ForceAxes& axes);
  /// Before the first move nothing may be left of the hands: neither a finger nor the weight.
  Result<void> hands_off(const RunningTask& task, const Forces& untouched_N);
  /// Waits for somebody's yes; the stage is listened to meanwhile.
  Result<void> ask(const RunningTask& task, const Question& question);
  /// What somebody's hands add to the force.
  Result<Forces> felt_N(const RunningTask& task, const Question& what);
  Result<Forces> mean_force_N();
  Result<ForceAxes> axes() const;

  LiveRig& live_;
  RigFileStore& file_;
  OperatorInterface& operator_;
  // Which connection of the force sensor (LiveRig::force_connections()); 0: none.
  int proved_ = 0, weighed_ = 0;
};

}  // namespace tactelier::rig
