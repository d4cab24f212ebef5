#pragma once
// rig new and rig setup: from unboxing to a rig that is ready (docs/first-rig.md).

#include <map>
#include <string>

#include "app/cli/commands.hpp"
#include "app/cli/runs_command.hpp"
#include "app/workflow/rig_setup.hpp"

namespace tactelier::cli {

struct RigNewArguments {
  std::string devices, target;
  std::map<std::string, std::string> given;  // by option, "--max-force"
};
int run_rig_new(Console& console, const RigNewArguments& arguments);
int run_rig_setup(Console& console, RigSetUpRequest request, bool yes);

class RigFirstGrammar {
 public:
  /// To `rig`.
  void add_to(CLI::App& rig, const RunsCommand& runs);

 private:
  void add_new(CLI::App& rig, const RunsCommand& runs);
  void add_setup(CLI::App& rig, const RunsCommand& runs);

  RigNewArguments new_;
  RigSetUpRequest setup_;
  std::string from_;
  bool yes_ = false;
};

}  // namespace tactelier::cli
