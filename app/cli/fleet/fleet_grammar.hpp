#pragma once
// The grammar of the commands for many sensors; that of the station is in station_grammar.cpp.

#include "app/cli/fleet/batch_commands.hpp"
#include "app/cli/fleet/catalogue_commands.hpp"
#include "app/cli/fleet/station_command.hpp"
#include "app/cli/runs_command.hpp"

namespace tactelier::cli {

class FleetGrammar {
 public:
  void add_to(CLI::App& app, const RunsCommand& runs);

 private:
  void add_plan(CLI::App& batch, const RunsCommand& runs);
  void add_run(CLI::App& batch, const RunsCommand& runs);
  void add_status(CLI::App& batch, const RunsCommand& runs);
  void add_plan_options(CLI::App& command, PlanRequest& request);
  void add_merge(CLI::App& batch, const RunsCommand& runs);
  void add_watch(CLI::App& batch, const RunsCommand& runs);
  void add_retry(CLI::App& batch, const RunsCommand& runs);
  void add_submit(CLI::App& batch, const RunsCommand& runs);
  void add_collect(CLI::App& batch, const RunsCommand& runs);
  void add_catalogue(CLI::App& app, const RunsCommand& runs);
  void add_query(CLI::App& catalogue, const RunsCommand& runs);
  void add_export(CLI::App& catalogue, const RunsCommand& runs);
  void add_report(CLI::App& catalogue, const RunsCommand& runs);
  void add_randomize(CLI::App& catalogue, const RunsCommand& runs);
  void add_accept(CLI::App& catalogue, const RunsCommand& runs);
  void add_rr(CLI::App& catalogue, const RunsCommand& runs);
  void add_filter(CLI::App& command);
  void add_station(CLI::App& app, const RunsCommand& runs);

  PlanRequest plan_;
  BatchRunArguments run_;
  WatchRequest watch_;
  MergeArguments merge_;
  ClusterArguments cluster_;
  bool slurm_ = false;
  CatalogueArguments catalogue_;
  StationArguments station_;
};

}  // namespace tactelier::cli
