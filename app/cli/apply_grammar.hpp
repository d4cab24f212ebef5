#pragma once
// The grammar of `apply`: a recording, or with --live the array that is connected.

#include "app/cli/commands.hpp"
#include "app/cli/runs_command.hpp"

namespace tactelier::cli {

class ApplyGrammar {
 public:
  void add_to(CLI::App& app, const RunsCommand& runs);

 private:
  void add_live(CLI::App& apply);
  int run(Console& console);

  std::string model_, input_, output_;
  LiveRequest live_;
  std::string zero_ = "start", udp_;
};

}  // namespace tactelier::cli
