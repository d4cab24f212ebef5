#include <CLI/CLI.hpp>

#include "app/cli/rig_first.hpp"

namespace tactelier::cli {

void RigFirstGrammar::add_to(CLI::App& rig, const RunsCommand& runs) {
  add_new(rig, runs);
  add_setup(rig, runs);
}

void RigFirstGrammar::add_new(CLI::App& rig, const RunsCommand& runs) {
  auto* command = rig.add_subcommand(
      "new", "Write a first rig file: asks what only a person knows, reads the rest");
  command->add_option("--devices", new_.devices, "Device file; its devices are asked, none moves")
      ->required()
      ->type_name("FILE");
  command->add_option("-o,--output", new_.target, "The rig file to write (.json)")->required();
  struct Row {
    const char *option, *help, *type;
  };
  static constexpr Row kRows[] = {
      {"--name", "What the rig is called", "TEXT"},
      {"--emergency-stop", "Is there a switch that cuts the motors' power?", "yes|no"},
      {"--press-axis", "Force sensor's axis along which pressing reads positive", "AXIS"},
      {"--max-force", "Most force on pad and plate, in N", "FLOAT"},
      {"--max-depth", "Deepest under the first touch, in mm", "FLOAT"},
      {"--safe-height", "Sideways only above this height over the pad, in mm", "FLOAT"},
      {"--tip-length", "From the force sensor's origin to the tip, in mm", "FLOAT"},
      {"--indenter", "What is on the tip: 'cylinder 1', 'sphere 6' (mm)", "TEXT"},
      {"--gain-u", "Standard uncertainty of the force's gain, in %", "FLOAT"},
      {"--check-mass", "A known mass asked for at each power-up, in g", "FLOAT"},
      {"--pad", "About where the tip touches the middle of the array, in mm of the stage", "X,Y,Z"},
      {"--plate", "Top of the rigid plate, likewise", "X,Y,Z"},
      {"--ground", "Bare ground beside the pad; its height is looked for", "X,Y"},
      {"--park", "Where people can reach the pad, likewise", "X,Y,Z"}};
  for (const auto& row : kRows)
    command
        ->add_option_function<std::string>(
            row.option,
            [this, option = row.option](const std::string& words) { new_.given[option] = words; },
            row.help)
        ->type_name(row.type);
  command->footer(
      "Asks at a terminal for what no option says, with what is usual; elsewhere takes what is\n"
      "usual, and names what nobody can guess. Opening a stage's port restarts many controllers.\n"
      "What each key means and where its number came from is written beside it (NAME.notes.md).\n"
      "From unboxing to the first press: docs/first-rig.md.\n"
      "Example:\n  tactelier rig new --devices lab.json -o rig.json --emergency-stop yes");
  runs(command, "rig", [this](Console& console) { return run_rig_new(console, new_); });
}

void RigFirstGrammar::add_setup(CLI::App& rig, const RunsCommand& runs) {
  auto* command = rig.add_subcommand(
      "setup", "Walk through mount, polarity, home, plate, surface, registration and ground");
  command->add_option("--devices", setup_.place.devices, "Device file")
      ->required()
      ->type_name("FILE");
  command->add_option("--rig", setup_.place.rig, "Rig file; what is found is written there")
      ->required()
      ->type_name("FILE");
  command->add_option("--from", from_, "Begin with this step; earlier ones are left out")
      ->type_name("mount|polarity|home|places|plate|surface|register|ground");
  command
      ->add_option("--plate-force", setup_.plate_force_N,
                   "How hard the plate is pressed, in N; without it as 'tactelier plate' does")
      ->check(CLI::Range(0.2, 100.0));
  command->add_flag("-y,--yes", yes_, "The rig may move");
  command->footer(
      "Each step says what it found. The rig file keeps its order; as it was before it is kept\n"
      "as NAME.json.bak. Where the rig file doesn't say where pad, plate and ground are, somebody "
      "at a\n"
      "terminal jogs there. Surface and registration hold until the rig process ends or the\n"
      "stage is homed again.\n"
      "Example:\n  tactelier rig setup --devices lab.json --rig rig.json");
  runs(command, "rig", [this](Console& console) {
    if (!from_.empty()) {
      const auto from = set_up_step(from_);
      if (!from) return console.fail(from.error());
      setup_.from = *from;
    }
    return run_rig_setup(console, setup_, yes_);
  });
}

}  // namespace tactelier::cli
