#pragma once
// What somebody at a terminal wants of a rig process, beside recordings and set-up
// (rig_process.hpp): the same requests as the window's.

#include <filesystem>
#include <optional>
#include <vector>

#include "app/workflow/rig_process.hpp"
#include "devices/motion/jog_wish.hpp"

namespace tactelier {

/// Both files: that rig, whose process is started when it isn't there. Without a rig file a process
/// that runs: of those devices, else the only one of this user.
struct RigChoice {
  std::optional<std::filesystem::path> devices, rig;
};

Result<rig::RigClient> chosen_rig(const RigChoice& choice, const Job& job);

/// A rig process that was told to stop.
struct StoppedRig {
  std::filesystem::path socket;
  double answer_s = 0;          // from the request to its answer: the stop byte is out
  rig::messages::Status after;  // once nothing moves any more, 10 s later at most
  std::optional<Error> error;   // it did not answer

  bool stands() const;
};

/// Stops motion now and locks the rig: of those devices, else of every rig process of this user,
/// since whoever needs it has no time to choose. Empty: there is none.
Result<std::vector<StoppedRig>> stop_rigs(const std::optional<std::filesystem::path>& devices);

/// Ends the rig process, after the press at hand, and waits until it has ended: what is started
/// then meets no process that is about to go. Fails with kTimeout after a minute, naming what it
/// does.
Result<void> quit_rig(rig::RigClient& client, const Job& job);

/// kHome or kRetract; the rig's status then.
Result<rig::messages::Status> move_rig(rig::RigClient& client, rig::messages::TaskKind kind,
                                       Warnings& warnings, const Job& job);

/// One increment, also while a run is paused. Ctrl-C ends it where it is.
Result<rig::messages::Status> jog_rig(rig::RigClient& client, const rig::JogWay& way,
                                      Warnings& warnings, const Job& job);

}  // namespace tactelier
