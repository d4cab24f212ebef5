#pragma once
// The grammar of the commands that predict tactile images.

#include "app/cli/commands.hpp"
#include "app/cli/runs_command.hpp"

namespace CLI {
class Option;
}

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
  /// What an image is asked beside the features that need no word.
  static CLI::Option* add_contours(CLI::App& command, std::vector<double>& percents);
  static CLI::Option* add_fingertip(CLI::App& command, std::string& mesh);

  SimulateArguments simulate_;
  CompareArguments compare_;
};

}  // namespace tactelier::cli
