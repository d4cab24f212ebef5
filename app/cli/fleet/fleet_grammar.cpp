#include "app/cli/fleet/fleet_grammar.hpp"

#include <CLI/CLI.hpp>

#include "app/cli/fleet/slurm_grammar.hpp"
#include "fitting/engine/stage.hpp"
#include "reports/export/exporter.hpp"

namespace tactelier::cli {
namespace {

std::string stage_names() {
  std::string names;
  for (const auto& stage : stages()) names += " " + std::string(stage.id);
  return names;
}

std::string format_names() {
  std::string names;
  for (const auto* writer : exporters()) names += " " + std::string(writer->id());
  return names;
}

void add_jobs(CLI::App& command, RunRequest& request) {
  command
      .add_option("--catalogue", request.catalogue,
                  "Where the fits are catalogued; PLAN.results/catalogue.sqlite when left out")
      ->type_name("FILE");
  command
      .add_option("-j,--jobs", request.jobs,
                  "Sensors fitted at once, a process each; 0: as many as there are processors")
      ->check(CLI::Range(0, 1024));
}

}  // namespace

void FleetGrammar::add_to(CLI::App& app, const RunsCommand& runs) {
  auto* batch = app.add_subcommand("batch", "Many sensors: plan, fit and follow them");
  batch->require_subcommand(1);
  batch->footer(
      "Example:\n  tactelier batch plan recordings/ -o fleet.json\n"
      "  tactelier batch run fleet.json --jobs 4\n  tactelier batch status fleet.json");
  add_plan(*batch, runs);
  add_run(*batch, runs);
  add_status(*batch, runs);
  add_retry(*batch, runs);
  add_merge(*batch, runs);
  add_watch(*batch, runs);
  add_submit(*batch, runs);
  add_collect(*batch, runs);
  add_catalogue(app, runs);
  add_station(app, runs);
}

void FleetGrammar::add_plan_options(CLI::App& command, PlanRequest& request) {
  command.add_flag("--each-session", request.each_session,
                   "One fit per session, not per sensor: to follow sensors over time");
  auto& options = request.options;
  command.add_option("--stages", options.stages, "Stages to run, of:" + stage_names())
      ->delimiter(',')
      ->type_name("STAGE,...");
  command.add_option("--require", options.required, "A sensor without these is incomplete")
      ->delimiter(',')
      ->type_name("STAGE,...");
  command
      .add_option("--export", options.exports,
                  "Formats written beside each model, of:" + format_names())
      ->delimiter(',')
      ->type_name("FORMAT,...");
  command.add_option("--sensor", options.sensor, "Sensor description instead of the sessions' own")
      ->type_name("NAME|FILE");
  command
      .add_option("--holdout", options.holdout,
                  "Fraction of presses kept out, as a test; image presses, "
                  "which no fit uses, are predicted")
      ->check(CLI::Range(0.0, 0.5));
  command.add_option("--seed", options.seed, "Of the bootstrap")->capture_default_str();
}

void FleetGrammar::add_plan(CLI::App& batch, const RunsCommand& runs) {
  auto* plan =
      batch.add_subcommand("plan", "Group sessions by sensor; show what each was recorded for");
  plan->add_option("SOURCE", plan_.sources,
                   "Folder, pattern in quotes, session, or .csv with a column 'session' and, if "
                   "wanted, 'sensor'")
      ->required();
  plan->add_option("-o,--output", plan_.target, "The plan to write (.json)")->required();
  add_plan_options(*plan, plan_);
  plan->footer(
      "What a session was recorded for is read off its presses and slides; whether they determine\n"
      "a number only the fit says. Results go to PLAN.results, one folder per sensor.\n"
      "Example:\n  tactelier batch plan 'line3/*.tact' -o line3.json --export openrave");
  runs(plan, "batch", [this](Console& console) { return run_batch_plan(console, plan_); });
}

void FleetGrammar::add_run(CLI::App& batch, const RunsCommand& runs) {
  auto* run = batch.add_subcommand("run", "Fit what is not up to date");
  run->add_option("PLAN", run_.plan, "Plan file")->required();
  add_jobs(*run, run_.request);
  run->add_flag("--anew", run_.request.anew, "Fit all of them, up to date or not");
  auto* only = run->add_option("--only", run_.only, "One sensor in this process: for clusters")
                   ->type_name("ID");
  run->add_option("--threads", run_.threads, "Of that one fit; 0: as many as the machine has")
      ->needs(only)
      ->check(CLI::Range(0, 1024));
  run->footer(
      "Up to date is a result of the same sessions, edits, options and program. Killed at any\n"
      "moment, it goes on where it was when it is run again. A sensor that fails fails alone and\n"
      "waits for new sessions or for 'batch retry'. Exit status 5 unless every sensor is\n"
      "identified.");
  runs(run, "batch", [this](Console& console) { return run_batch_run(console, run_); });
}

void FleetGrammar::add_status(CLI::App& batch, const RunsCommand& runs) {
  auto* status = batch.add_subcommand("status", "What is done, stale, failed or waiting");
  status->add_option("PLAN", run_.plan, "Plan file")->required();
  runs(status, "batch", [this](Console& console) { return run_batch_status(console, run_.plan); });
}

void FleetGrammar::add_retry(CLI::App& batch, const RunsCommand& runs) {
  auto* retry = batch.add_subcommand("retry", "Run, and try those again that failed");
  retry->add_option("PLAN", run_.plan, "Plan file")->required();
  add_jobs(*retry, run_.request);
  runs(retry, "batch", [this](Console& console) {
    run_.request.retry_failed = true;
    return run_batch_run(console, run_);
  });
}

void FleetGrammar::add_merge(CLI::App& batch, const RunsCommand& runs) {
  auto* merge = batch.add_subcommand("merge", "The catalogues of several runs in one");
  merge->add_option("CATALOGUE", merge_.catalogues, "Catalogue files")->required();
  merge->add_option("--into", merge_.into, "Catalogue that they are added to; made if need be")
      ->required()
      ->type_name("FILE");
  merge->footer(
      "A fit that is there already is not added again.\n"
      "Example:\n  tactelier batch merge line1.sqlite line2.sqlite --into plant.sqlite");
  runs(merge, "batch", [this](Console& console) { return run_batch_merge(console, merge_); });
}

void FleetGrammar::add_watch(CLI::App& batch, const RunsCommand& runs) {
  auto* watch = batch.add_subcommand("watch", "Plan and fit what is recorded, as it comes");
  watch->add_option("SOURCE", watch_.plan.sources, "Folder or pattern in quotes")->required();
  watch->add_option("--plan", watch_.plan.target, "Plan file, written anew each round")
      ->required()
      ->type_name("PLAN");
  add_plan_options(*watch, watch_.plan);
  add_jobs(*watch, watch_.run);
  watch->add_option("--every", watch_.every_s, "Seconds from one round to the next")
      ->capture_default_str()
      ->check(CLI::Range(0.1, 86400.0));
  watch->add_flag("--once", watch_.once, "One round: for a timer of the system");
  watch->footer(
      "Runs until Ctrl-C. A recording that goes on is left for a later round. With --json one\n"
      "object per line and round in which something was fitted.\n"
      "Example:\n  tactelier batch watch station3/ --plan station3.json");
  runs(watch, "batch", [this](Console& console) { return run_batch_watch(console, watch_); });
}

void FleetGrammar::add_submit(CLI::App& batch, const RunsCommand& runs) {
  auto* submit =
      batch.add_subcommand("submit", "Fit what is not up to date on a cluster: a job array");
  submit->add_option("PLAN", cluster_.plan, "Plan file")->required();
  submit->add_flag("--slurm", slurm_, "With Slurm, the one scheduler that is known")->required();
  submit
      ->add_option("--group", cluster_.submit.group,
                   "Sensors per element; 0: one, more where it would be over 1000 elements")
      ->capture_default_str()
      ->check(CLI::Range(0, 100000));
  add_slurm_options(*submit, cluster_.submit.slurm);
  submit->add_flag("--retry", cluster_.submit.retry_failed, "Those that failed, too");
  submit->add_flag("--dry-run", cluster_.submit.dry_run, "Write the script, do not submit it");
  submit->footer(
      "Script and logs stand in PLAN.slurm, a folder per submission. Sessions, plan and this\n"
      "program must lie where every node finds them. What an element leaves undone is submitted\n"
      "by the next call, and nothing else (docs/cluster.md).\n"
      "Example:\n  tactelier batch submit fleet.json --slurm --partition short --at-once 50\n"
      "  tactelier batch collect fleet.json --wait");
  runs(submit, "batch", [this](Console& console) { return run_batch_submit(console, cluster_); });
}

void FleetGrammar::add_collect(CLI::App& batch, const RunsCommand& runs) {
  auto* collect = batch.add_subcommand(
      "collect", "What the cluster has done: into the catalogue; what waits, runs or was lost");
  collect->add_option("PLAN", cluster_.plan, "Plan file")->required();
  collect->add_flag("--wait", cluster_.collect.wait, "Until no element is in the queue");
  collect
      ->add_option("--catalogue", cluster_.collect.catalogue,
                   "Where the fits are catalogued; PLAN.results/catalogue.sqlite when left out")
      ->type_name("FILE");
  collect->footer("Exit status 5 unless every sensor is identified.");
  runs(collect, "batch", [this](Console& console) { return run_batch_collect(console, cluster_); });
}

void FleetGrammar::add_catalogue(CLI::App& app, const RunsCommand& runs) {
  auto* catalogue = app.add_subcommand("catalogue", "What is known of many sensors");
  catalogue->require_subcommand(1);
  catalogue->footer(
      "A catalogue is one SQLite file, which 'tactelier batch run' fills.\n"
      "Example:\n  tactelier catalogue report fleet.results/catalogue.sqlite");
  add_query(*catalogue, runs);
  add_export(*catalogue, runs);
  add_report(*catalogue, runs);
  add_randomize(*catalogue, runs);
  add_rr(*catalogue, runs);
  add_accept(*catalogue, runs);
}

void FleetGrammar::add_filter(CLI::App& command) {
  auto& filter = catalogue_.filter;
  command.add_option("CATALOGUE", catalogue_.file, "Catalogue file")->required();
  command
      .add_option("--parameter", filter.paths,
                  "Path as in 'tactelier show', such as stiffness.k or stiffness.*; of tactels "
                  "response.tactels[].press_gain is the median")
      ->delimiter(',')
      ->type_name("PATH,...");
  command.add_option("--sensor", filter.sensor, "Name of the description");
  command.add_option("--serial", filter.serial, "One sensor");
}

void FleetGrammar::add_query(CLI::App& catalogue, const RunsCommand& runs) {
  auto* query = catalogue.add_subcommand("query", "Numbers by parameter and sensor");
  add_filter(*query);
  query->add_option("--status", catalogue_.filter.status, "Only numbers of this status");
  query->add_flag("--history", catalogue_.filter.history, "Earlier fits of each sensor, too");
  query->footer("Example:\n  tactelier catalogue query fleet.sqlite --parameter stiffness.k_punch");
  runs(query, "catalogue",
       [this](Console& console) { return run_catalogue_query(console, catalogue_); });
}

void FleetGrammar::add_export(CLI::App& catalogue, const RunsCommand& runs) {
  auto* table = catalogue.add_subcommand("export", "The same as a table (.csv)");
  add_filter(*table);
  table->add_option("--status", catalogue_.filter.status, "Only numbers of this status");
  table->add_flag("--history", catalogue_.filter.history, "Earlier fits of each sensor, too");
  table->add_option("-o,--output", catalogue_.output, "Table to write (.csv)")->required();
  runs(table, "catalogue",
       [this](Console& console) { return run_catalogue_export(console, catalogue_); });
}

void FleetGrammar::add_report(CLI::App& catalogue, const RunsCommand& runs) {
  auto* report =
      catalogue.add_subcommand("report", "Distributions, control limits, outliers, drift");
  add_filter(*report);
  report->add_option("-o,--output", catalogue_.output, "Text file to write, too");
  report->footer(
      "Median; sigma is 1.4826 times the median absolute deviation; limits are the median -+ 3\n"
      "sigma. An outlier lies beyond what one fleet in twenty has by chance; a drift over the\n"
      "date of recording is tested by Mann-Kendall, its slope is Theil and Sen's. The latest fit\n"
      "of each sensor counts; docs/catalogue.md gives the definitions.");
  runs(report, "catalogue",
       [this](Console& console) { return run_catalogue_report(console, catalogue_); });
}

void FleetGrammar::add_randomize(CLI::App& catalogue, const RunsCommand& runs) {
  auto* randomize = catalogue.add_subcommand(
      "randomize", "Mean, covariance and ranges over the fleet; drawn sensors for simulators");
  auto& request = catalogue_.randomize;
  randomize->add_option("CATALOGUE", catalogue_.file, "Catalogue file")->required();
  randomize->add_option("--parameter", request.paths, "Parameters that vary together")
      ->required()
      ->delimiter(',')
      ->type_name("PATH,...");
  randomize->add_option("-o,--output", request.target, "Distribution and draws (.json)")
      ->required();
  randomize->add_option("--draws", request.draws, "Sensors to draw")->check(CLI::Range(0, 1000000));
  randomize->add_option("--seed", request.seed, "Of the draws")->capture_default_str();
  randomize->add_option("--model", request.base, "Model that the drawn values are put into");
  randomize->add_option("--models", request.models, "Folder for one model file per draw")
      ->type_name("DIR");
  randomize->footer(
      "Example:\n  tactelier catalogue randomize fleet.sqlite --draws 100 -o draws.json \\\n"
      "    --parameter stiffness.k_punch,response.tactels[].press_gain");
  runs(randomize, "catalogue",
       [this](Console& console) { return run_catalogue_randomize(console, catalogue_); });
}

void FleetGrammar::add_rr(CLI::App& catalogue, const RunsCommand& runs) {
  auto* rr = catalogue.add_subcommand(
      "rr", "Gauge R&R: how much of the spread is the measurement's and its operators'");
  auto& request = catalogue_.gauge;
  rr->add_option("CATALOGUE", catalogue_.file, "Catalogue file")->required();
  rr->add_option("--parameter", request.path, "Path as in 'tactelier show': stiffness.k_punch")
      ->required()
      ->type_name("PATH");
  rr->add_option("--sensor", request.sensor, "Name of the description");
  rr->footer(
      "Several operators record several sensors several times each, and name themselves\n"
      "('record --operator'); each recording is a fit of its own. Analysis of variance as in\n"
      "AIAG's Measurement Systems Analysis; docs/catalogue.md tells the rest.\n"
      "Example:\n  tactelier batch plan study/ -o study.json --each-session\n"
      "  tactelier batch run study.json\n"
      "  tactelier catalogue rr study.results/catalogue.sqlite --parameter stiffness.k_punch");
  runs(rr, "catalogue", [this](Console& console) { return run_catalogue_rr(console, catalogue_); });
}

void FleetGrammar::add_accept(CLI::App& catalogue, const RunsCommand& runs) {
  auto* accept = catalogue.add_subcommand(
      "accept", "Accept or reject a sensor by its fleet's limits, guarded by its uncertainty");
  accept->add_option("CATALOGUE", catalogue_.file, "Catalogue file")->required();
  accept->add_option("MODEL", catalogue_.model, "Model file of the sensor")->required();
  accept->add_option("--parameter", catalogue_.filter.paths, "Parameters that must be right")
      ->required()
      ->delimiter(',')
      ->type_name("PATH,...");
  accept->footer(
      "Limits are those of 'catalogue report', over sensors of the same description. Accepted is\n"
      "what lies within them by its expanded uncertainty at least; rejected what lies beyond by "
      "as\n"
      "much; the rest is unclear: measure it better, or again. Exit status 5 unless accepted.\n"
      "Example:\n  tactelier catalogue accept fleet.sqlite new.json --parameter stiffness.k_punch");
  runs(accept, "catalogue",
       [this](Console& console) { return run_catalogue_accept(console, catalogue_); });
}

}  // namespace tactelier::cli
