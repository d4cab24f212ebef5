#pragma once
// The grammar of what is said to a rig process that runs: rig status|stop|acknowledge ...

#include <string>

#include "app/cli/commands.hpp"
#include "app/cli/runs_command.hpp"

namespace tactelier::cli {

class RigControlGrammar {
 public:
  /// To `rig`.
  void add_to(CLI::App& rig, const RunsCommand& runs);

 private:
  void add_moves(CLI::App& rig, const RunsCommand& runs);
  void add_requests(CLI::App& rig, const RunsCommand& runs);
  /// --devices, and for what may start a rig process --rig.
  void add_choice(CLI::App& command, bool may_start);

  RigChoice choice_;
  double mass_g_ = 0;
  double x_mm_ = 0, y_mm_ = 0, z_mm_ = 0, speed_mm_s_ = 1;
  std::string note_;
  bool yes_ = false;
};

}  // namespace tactelier::cli
