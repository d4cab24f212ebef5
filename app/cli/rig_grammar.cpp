#include "app/cli/rig_grammar.hpp"

#include <CLI/CLI.hpp>

namespace tactelier::cli {

void RigGrammar::add_to(CLI::App& app, const RunsCommand& runs) {
  add_bench(app, runs);
  add_devices(app, runs);
}

void RigGrammar::add_bench(CLI::App& app, const RunsCommand& runs) {
  auto* bench = app.add_subcommand("bench", "The virtual bench: emulated devices over a pad");
  bench->add_option("--rig", bench_.rig, "Rig file; the virtual bench's when left out")
      ->type_name("FILE");
  auto* sensor = bench->add_option("--sensor", bench_.sensor, "Draw a pad for this sensor")
                     ->type_name("NAME|FILE")
                     ->capture_default_str();
  bench->add_option("--truth", bench_.truth, "Simulate this sensor model instead")
      ->type_name("MODEL")
      ->excludes(sensor);
  bench
      ->add_option("--preset", bench_.preset,
                   "What rig and devices are like: clean (little noise) or lab (everything)")
      ->type_name("clean|lab")
      ->capture_default_str();
  bench->add_option("--seed", bench_.seed, "Of pad, rig and noise")->capture_default_str();
  bench->add_option("--speed", bench_.speed, "How many times faster than real time it lives")
      ->check(CLI::Range(0.1, 20.0))
      ->capture_default_str();
  bench
      ->add_option("--write-truth", bench_.write_truth,
                   "Write the pad's truth there, and the rig's beside it")
      ->type_name("FILE");
  bench->add_option("--write-devices", bench_.write_devices, "Write the device file there")
      ->type_name("FILE");
  bench->footer(
      "Emulates stage (GRBL), force sensor (Net F/T) and array (Weiss WTS) over one simulated\n"
      "pad, each on its own pseudo-terminal or port of the loopback, until Ctrl-C.\n"
      "Examples:\n  tactelier bench --write-devices bench.json\n"
      "  tactelier bench --rig rig.json --preset lab --seed 7 --write-truth pad.truth.json --json");
  runs(bench, "bench", [this](Console& console) { return run_bench(console, bench_); });
}

void RigGrammar::add_devices(CLI::App& app, const RunsCommand& runs) {
  auto* devices = app.add_subcommand("devices", "Ports, drivers, connected devices");
  devices->require_subcommand(1);
  auto* list = devices->add_subcommand("list", "Ports and drivers there are; opens nothing");
  runs(list, "devices", [](Console& console) { return run_devices_list(console); });
  auto* test = devices->add_subcommand(
      "test", "Connect, read for some seconds, print rates, gaps and status; moves nothing");
  test->add_option("FILE", file_, "Device file")->required();
  test->add_option("--seconds", seconds_, "How long to read")
      ->check(CLI::Range(0.5, 3600.0))
      ->capture_default_str();
  test->footer(
      "Opening a stage's port restarts many controllers; nothing moves, and no settings are\n"
      "written. Exit status 4 when a device is silent, refused or gone.");
  runs(test, "devices",
       [this](Console& console) { return run_devices_test(console, file_, seconds_); });
}

}  // namespace tactelier::cli
