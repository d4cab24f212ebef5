#pragma once
// What is done before a recording, and by hand: homing, jogs, the pad's surface and where it lies.
//
// Homing, another indenter and a reset controller void surface and registration. A task that needs
// them finds them itself when its request says "set_up", else it is refused.
//
// Of the thread that moves the rig; there is no mutex. surface_found() and registered() may be
// asked by any thread.

#include <atomic>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "devices/acquisition/live_rig.hpp"
#include "devices/motion/operator_interface.hpp"
#include "devices/motion/rig_motion.hpp"
#include "devices/server/force_proof.hpp"
#include "devices/server/rig_file_store.hpp"
#include "devices/server/task_slot.hpp"

namespace tactelier::rig {

class SetUp {
 public:
  /// All outlive this.
  SetUp(LiveRig& live, RigFileStore& file, OperatorInterface& operator_at_rig)
      : live_(live), file_(file), operator_(operator_at_rig), proof_(live, file, operator_at_rig) {}

  Result<void> home(RunningTask& task);
  /// A jog never presses: what it touches ends it, and the tip is raised.
  Result<void> jog(RunningTask& task);
  Result<void> retract();
  /// What was found, for the client; the rig file has it then.
  Result<nlohmann::json> surface(RunningTask& task);
  Result<nlohmann::json> registration(RunningTask& task);
  /// Surface and registration; under a tip that covers the pad, which is felt everywhere alike, the
  /// surface alone: the pad lies where the rig file says.
  Result<void> find_places(RunningTask& task);
  /// ForceProof::weigh(); nothing moves.
  Result<nlohmann::json> weigh(const RunningTask& task) {
    return proof_.weigh(task, messages::weighed_kg(task.request));
  }

  /// ForceProof::prove(); nothing moves.
  Result<void> prove(const RunningTask& task) { return proof_.prove(task); }
  /// Where the pad is is anybody's guess again.
  void forget_places() { surface_found_ = registered_ = false; }

  /// Homed, the indenter mounted; where the pad is touched its surface and place found.
  Result<void> make_ready(RunningTask& task, const std::optional<MountedIndenter>& indenter,
                          bool touches_pad);
  /// Another tip is longer or shorter, and sits a little elsewhere: all is found again.
  Result<void> take_new_tip(RunningTask& task, const MountedIndenter& indenter);

  /// Whether what is mounted is felt all over the pad, as a plate is.
  bool covers_pad() const;
  bool surface_found() const { return surface_found_; }
  bool registered() const { return registered_; }

 private:
  /// What must be there before: with "set_up" it is made, else it is asked for.
  Result<void> prepare(RunningTask& task, bool there, const char* name,
                       const std::function<Result<void>()>& make) const;
  Result<void> need_home() const;
  Result<void> find_home(RunningTask& task);
  Result<void> need_rough_surface() const;
  Result<void> mount(const MountedIndenter& indenter);
  RigMotion motion(std::stop_token stop) const {
    return {live_, file_.rig(), live_.sensor(), std::move(stop)};
  }
  /// Surface and registration were found by hand by a tip that nobody had named: whether this one
  /// is as long, one touch at the pad's middle shows. If it is, the air over the pad is confirmed;
  /// if not, both are to be found again.
  Result<void> meet_surface_again(RunningTask& task);
  /// Where the tip has found the pad, air above it is confirmed.
  void confirm_air();
  Result<void> save_surface(const nlohmann::json& document);
  /// Why a way to the surface ended in a touch, and what to write into the rig file.
  Error explain_touch(const Error& error, const RigMotion& moves) const;
  /// After a failure: the tip goes up, a trip is dealt with.
  void make_safe(RigMotion& moves);

  LiveRig& live_;
  RigFileStore& file_;
  OperatorInterface& operator_;
  ForceProof proof_;
  std::atomic<bool> surface_found_{false}, registered_{false};
  std::optional<MountedIndenter> mounted_;
};

}  // namespace tactelier::rig
