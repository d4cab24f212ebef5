#pragma once
// The grammar of what is filed: `report` and `pack`.

#include "app/cli/commands.hpp"
#include "app/cli/runs_command.hpp"

namespace tactelier::cli {

class FilingGrammar {
 public:
  void add_to(CLI::App& app, const RunsCommand& runs);

 private:
  void add_report(CLI::App& app, const RunsCommand& runs);
  void add_pack(CLI::App& app, const RunsCommand& runs);

  ReportArguments report_;
  PackArguments pack_;
};

}  // namespace tactelier::cli
