#pragma once
// The grammar of the commands that have to do with devices; the others' is in command_line.cpp.

#include <string>

#include "app/cli/rig_control_grammar.hpp"
#include "app/cli/rig_first.hpp"

namespace tactelier::cli {

class RigGrammar {
 public:
  void add_to(CLI::App& app, const RunsCommand& runs);

 private:
  void add_bench(CLI::App& app, const RunsCommand& runs);
  void add_devices(CLI::App& app, const RunsCommand& runs);

  void add_learn(CLI::App& devices, const RunsCommand& runs);
  void add_doctor(CLI::App& app, const RunsCommand& runs);

  void add_protocol(CLI::App& app, const RunsCommand& runs);
  void add_record(CLI::App& app, const RunsCommand& runs);
  void add_set_up(CLI::App& app, const RunsCommand& runs);
  void add_plate(CLI::App& app, const RunsCommand& runs);
  void add_rig(CLI::App& app, const RunsCommand& runs);
  /// --devices and --rig.
  void add_place(CLI::App& command);

  RigControlGrammar control_;
  RigFirstGrammar first_;
  BenchRequest bench_;
  RecordRequest record_;
  AdaptiveWish adaptive_;
  RecordingPlanRequest planned_;
  PlateRequest plate_;
  std::optional<double> spring_N_per_mm_;
  bool limits_ = false, dry_run_ = false, yes_ = false, fix_ = false;
  std::string answers_;
  double idle_exit_s_ = 0;
  LearnRequest learn_;
  std::string file_;
  double seconds_ = 3;
};

}  // namespace tactelier::cli
