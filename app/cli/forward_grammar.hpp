#pragma once
// The grammar of the commands that predict tactile images.

#include "app/cli/commands.hpp"
#include "app/cli/runs_command.hpp"

namespace tactelier::cli {

class ForwardGrammar {
 public:
  void add_to(CLI::App& app, const RunsCommand& runs);

 private:
  void add_simulate(CLI::App& app, const RunsCommand& runs);
  void add_pose(CLI::App& simulate);
  void add_free(CLI::App& simulate);
  void add_shards(CLI::App& simulate);
  void add_compare(CLI::App& app, const RunsCommand& runs);

  SimulateArguments simulate_;
  CompareArguments compare_;
};

}  // namespace tactelier::cli
