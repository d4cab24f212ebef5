#include "app/cli/filing_grammar.hpp"

#include <CLI/CLI.hpp>

namespace tactelier::cli {

void FilingGrammar::add_to(CLI::App& app, const RunsCommand& runs) {
  add_report(app, runs);
  add_pack(app, runs);
}

void FilingGrammar::add_report(CLI::App& app, const RunsCommand& runs) {
  auto* report = app.add_subcommand("report", "A model as a report to file, HTML or PDF");
  report->add_option("MODEL", report_.model, "Model file")->required();
  report->add_option("FILE", report_.files,
                     "Recordings: those of the fit are drawn beside it, others of the same sensor "
                     "compared with it; other models of the sensor: what changed; verification "
                     "records of its exports");
  report
      ->add_option("-o,--output", report_.outputs,
                   "File to write, .html or .pdf; given twice, both of one reading")
      ->allow_extra_args(false);
  report->add_option("--data", report_.data, "Every number of the report, too, SI")
      ->type_name("FILE.json");
  report
      ->add_option("--paper", report_.kit,
                   "Paper kit: methods, table, figures with their data, sources; a new folder")
      ->type_name("DIR");
  report->add_option("--paper-size", report_.paper, "Of a PDF")
      ->check(CLI::IsMember({"a4", "letter"}))
      ->type_name("a4|letter")
      ->capture_default_str();
  report->footer(
      "One file that needs nothing else. The same input gives the same bytes.\n"
      "Examples:\n  tactelier report wts.json monday.tact -o wts.pdf\n"
      "  tactelier report wts.json monday.tact -o wts.html -o wts.pdf\n"
      "  tactelier report wts.json monday.tact last-year.json wts.mujoco.json -o wts.html\n"
      "  tactelier report wts.json monday.tact --paper kit\n"
      "docs/reports.md says what stands where.");
  runs(report, "report", [this, report](Console& console) {
    report_.replace = report->count("--force") > 0;
    return run_report(console, report_);
  });
}

void FilingGrammar::add_pack(CLI::App& app, const RunsCommand& runs) {
  auto* pack = app.add_subcommand("pack", "A model with all that it was made from, to be rerun");
  auto* model = pack->add_option("MODEL", pack_.model, "Model file");
  auto* sessions = pack->add_option("SESSION", pack_.sessions,
                                    "Recordings: all that the model was fitted from, and others");
  auto* output = pack->add_option("-o,--output", pack_.output, "Archive to write, .zip");
  auto* add = pack->add_option("--add", pack_.added, "Protocol, rig file, verification record ...")
                  ->type_name("FILE");
  auto* verify = pack->add_option("--verify", pack_.verify,
                                  "Check an archive, fit its recordings again and compare")
                     ->type_name("ARCHIVE.zip");
  for (auto* other : {model, sessions, output, add}) verify->excludes(other);
  pack->footer(
      "The archive has the model, its recordings, a report and a manifest with the SHA-256 of "
      "each.\n"
      "--verify exits with 5 when a number of the rerun is another one: further than 0.01 of its\n"
      "standard error from the packed one.\n"
      "Examples:\n  tactelier pack wts.json monday.tact --add rig.json -o wts.zip\n"
      "  tactelier pack --verify wts.zip");
  runs(pack, "pack", [this, pack](Console& console) {
    pack_.replace = pack->count("--force") > 0;
    return run_pack(console, pack_);
  });
}

}  // namespace tactelier::cli
