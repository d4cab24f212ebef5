// The grammar of tactelier station.

#include <CLI/CLI.hpp>

#include "app/cli/fleet/fleet_grammar.hpp"
#include "libcalib/protocol/protocol.hpp"

namespace tactelier::cli {

void FleetGrammar::add_station(CLI::App& app, const RunsCommand& runs) {
  auto* station = app.add_subcommand(
      "station", "Scan, clamp, press, fit, accept or reject: one sensor after the other");
  auto& settings = station_.settings;
  station->add_option("FOLDER", settings.folder, "Recordings, fits and labels go there")
      ->required();
  station->add_option("--devices", settings.place.devices, "Device file: which device, where")
      ->required()
      ->type_name("FILE");
  station->add_option("--rig", settings.place.rig, "Rig file; what set-up finds is written there")
      ->required()
      ->type_name("FILE");
  station
      ->add_option("--catalogue", settings.limits.catalogue,
                   "Of the fleet: its limits count, and every fit is added to it")
      ->required()
      ->type_name("FILE");
  station
      ->add_option("--parameter", settings.limits.parameters,
                   "Parameters that must be right; left out: all are measured, none is judged")
      ->delimiter(',')
      ->type_name("PATH,...");
  station
      ->add_option(
          "--protocol", settings.protocol,
          fmt::format("Protocol file, or one of: {}", fmt::join(shipped_protocols(), ", ")))
      ->type_name("NAME|FILE")
      ->capture_default_str();
  station->add_option("--stages", settings.fit.stages, "Stages to fit; all when left out")
      ->delimiter(',')
      ->type_name("STAGE,...");
  station->add_option("--serials", station_.serials, "Serial numbers that may come, one a line")
      ->type_name("FILE");
  station->add_flag("--known", settings.known_only, "Only sensors that the catalogue holds");
  station->add_option("--operator", settings.operator_name, "Who stands there");
  station->add_option("--notes", settings.notes, "Kept in each recording");
  station->add_flag("-y,--yes", station_.yes, "The lines may come from a pipe; the rig moves");
  station->footer(
      "Serial numbers are lines of standard input: a barcode scanner types them. Enter, or the\n"
      "same code again, says that hands are off; another code is taken instead. The verdict is\n"
      "printed and written to FOLDER/labels; 'end', or the end of input, ends. With --json one\n"
      "object per line and sensor. Interrupted at any moment, it goes on when it is started again\n"
      "(docs/station.md). Exit status 4 when a device failed or a limit stopped the rig.\n"
      "Example:\n  tactelier station line3/ --devices lab.json --rig rig.json \\\n"
      "    --catalogue fleet.sqlite --parameter stiffness.k_punch,timing.latency_s");
  runs(station, "station",
       [this](Console& console) { return run_station_command(console, station_); });
}

}  // namespace tactelier::cli
