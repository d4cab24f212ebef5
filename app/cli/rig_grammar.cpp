#include "app/cli/rig_grammar.hpp"

#include <CLI/CLI.hpp>

#include "libcalib/protocol/protocol.hpp"

namespace tactelier::cli {

void RigGrammar::add_to(CLI::App& app, const RunsCommand& runs) {
  add_bench(app, runs);
  add_devices(app, runs);
  add_doctor(app, runs);
  add_protocol(app, runs);
  add_record(app, runs);
  add_set_up(app, runs);
  add_rig(app, runs);
}

void RigGrammar::add_place(CLI::App& command) {
  command.add_option("--devices", record_.place.devices, "Device file: which device, where")
      ->required()
      ->type_name("FILE");
  command.add_option("--rig", record_.place.rig, "Rig file; what set-up finds is written there")
      ->required()
      ->type_name("FILE");
}

void RigGrammar::add_protocol(CLI::App& app, const RunsCommand& runs) {
  auto* protocol =
      app.add_subcommand("protocols", "What there is to record, how long it takes, what it tells");
  protocol->require_subcommand(1);
  const auto add_where = [this](CLI::App& command) {
    command.add_option("--rig", planned_.rig, "Rig file; the virtual bench's when left out")
        ->type_name("FILE");
    command.add_option("--sensor", planned_.sensor, "Sensor on the rig")
        ->type_name("NAME|FILE")
        ->capture_default_str();
  };
  auto* list = protocol->add_subcommand("list", "The shipped protocols with their time on a rig");
  add_where(*list);
  runs(list, "protocols",
       [this](Console& console) { return run_protocol_list(console, planned_); });
  auto* show = protocol->add_subcommand(
      "show", "Its steps, and what it will and won't tell on a rig, at which uncertainty");
  show->add_option("PROTOCOL", planned_.protocol, "Name or file")->required();
  add_where(*show);
  show->add_option("--expect", planned_.expect, "Expect this model's values, not published ones")
      ->type_name("MODEL");
  show->footer(
      "Half-widths come from the Fisher information of the planned steps, at the expected values\n"
      "and with the noise that `performance` of the rig file states (docs/theory/planning.md).\n"
      "Example:\n  tactelier protocols show p9 --rig rig.json");
  runs(show, "protocols",
       [this](Console& console) { return run_protocol_show(console, planned_); });
}

void RigGrammar::add_record(CLI::App& app, const RunsCommand& runs) {
  auto* record = app.add_subcommand("record", "Drive the rig through a protocol and record");
  add_place(*record);
  record
      ->add_option(
          "--protocol", record_.protocol,
          fmt::format("Protocol file, or one of: {}", fmt::join(shipped_protocols(), ", ")))
      ->type_name("NAME|FILE");
  record
      ->add_option("--until", adaptive_.targets,
                   "Instead of a protocol: choose each press by what is known so far, until "
                   "half-widths (95 %) are reached, as in 'gain 2 %, sigma 1 %, k 2 %'; there are "
                   "damping and relaxation, too")
      ->type_name("TARGETS");
  record
      ->add_option("--minutes", adaptive_.minutes,
                   "Of rig time that --until may take (60); alone: the best that this time allows")
      ->type_name("N");
  record
      ->add_option("--refresh", adaptive_.refresh,
                   "Instead of a protocol: look for gains that have changed since that model was "
                   "made and press what has changed again; --until 'gain 2 %' says how well (else "
                   "as well as the model knows its other gains), --minutes how long (20)")
      ->type_name("MODEL");
  record->add_option("-o,--output", record_.target, "The .tact file to write");
  record->add_flag("--resume", record_.resume,
                   "Go on with that file, which was cut off, at its next press");
  record->add_option("--serial", record_.sensor_serial, "Serial number of the array");
  record->add_option("--mount", record_.mount, "Which mounting of the array this is");
  record->add_option("--operator", record_.operator_name, "Who records");
  record->add_option("--notes", record_.notes, "Kept in the recording");
  record->add_option("--temperature", record_.temperature_degC, "Of the room, in °C; kept as well")
      ->check(CLI::Range(-50.0, 150.0))
      ->type_name("N");
  record->add_option("--answers", answers_, "Answers to prompts in their order, a JSON list")
      ->type_name("FILE");
  record->add_flag("--dry-run", dry_run_,
                   "Print the plan, what it will and won't tell, and limits; nothing is connected");
  record->add_flag("--limits", limits_, "Print what the supervisor watches and what it does");
  record->add_flag("-y,--yes", yes_, "The rig may move");
  record->footer(
      "Homes, finds surface and registration where they aren't known, then records. Ctrl-C ends\n"
      "in order: the tip goes up, what was recorded is kept. Exit status 4 when a device failed\n"
      "or a limit stopped the rig.\n"
      "--resume homes, finds surface and registration again and goes on with the protocol that "
      "the\n"
      "file was begun with, after its last whole press.\n"
      "In a terminal keys do what 'tactelier rig' does: p pause or go on, s skip the press, r do "
      "it\n"
      "again, u take the last back, n note, Esc STOP.\n"
      "Examples:\n  tactelier record --devices lab.json --rig rig.json --protocol quick -o a.tact\n"
      "  tactelier record --devices lab.json --rig rig.json -o a.tact --resume\n"
      "  tactelier record --devices lab.json --rig rig.json --until 'gain 2 %, sigma 1 %' -o "
      "b.tact\n"
      "  tactelier record --devices lab.json --rig rig.json --refresh wts.json -o c.tact");
  runs(record, "record", [this](Console& console) {
    if (!adaptive_.targets.empty() || adaptive_.minutes || !adaptive_.refresh.empty())
      record_.adaptive = adaptive_;
    if (record_.adaptive && !record_.protocol.empty())
      return console.fail(
          {ErrorCode::kUsage, "--until, --minutes and --refresh exclude --protocol"});
    if (record_.adaptive && dry_run_)
      return console.fail({ErrorCode::kUsage,
                           "--dry-run needs a protocol: presses of --until are chosen by what is "
                           "recorded; --limits prints what is watched"});
    if (record_.protocol.empty() && !record_.resume && !record_.adaptive)
      return console.fail({ErrorCode::kUsage,
                           "--protocol is missing: a file, or one of those that --help names; or "
                           "--until or --refresh for presses that are chosen"});
    if (record_.target.empty() && (record_.resume || !(limits_ || dry_run_)))
      return console.fail({ErrorCode::kUsage, "give -o NAME.tact, --dry-run or --limits"});
    if (limits_ || dry_run_) return run_record_preview(console, record_, dry_run_);
    if (!answers_.empty()) {
      auto answers = load_answers(answers_);
      if (!answers) return console.fail(answers.error());
      record_.answers = std::move(*answers);
    }
    return run_record(console, record_, yes_);
  });
}

void RigGrammar::add_set_up(CLI::App& app, const RunsCommand& runs) {
  using rig::messages::TaskKind;
  const auto add = [&](TaskKind kind, const char* help, const char* footer) {
    const std::string name(to_string(kind));
    auto* command = app.add_subcommand(name, help);
    add_place(*command);
    command->add_flag("-y,--yes", yes_, "The rig may move");
    command->footer(footer);
    runs(command, name, [this, kind](Console& console) {
      return run_rig_set_up(console, record_.place, kind, yes_);
    });
  };
  add(TaskKind::kSurface, "Find height and tilt of the pad by guarded touches at five places",
      "0.1 mm/s, until 50 mN or 8 sigma. Warns over 0.5 deg of tilt, refuses over 2 deg.");
  add(TaskKind::kRegister, "Find how the stage's x and y lie over the tactels, by nine presses",
      "Shift, turn and mirroring. Finds the surface first where it isn't known.");
  add_plate(app, runs);
}

void RigGrammar::add_plate(CLI::App& app, const RunsCommand& runs) {
  auto* plate = app.add_subcommand(
      "plate", "Find the compliance of the rig and where the rigid plate is, by pressing it");
  add_place(*plate);
  plate
      ->add_option("--force", plate_.force_N,
                   "How hard it is pressed, in N; without it 5, and 15 where the rig is too stiff "
                   "for 5 and its limits allow it")
      ->check(CLI::Range(0.2, 100.0));
  plate
      ->add_option("--spring", spring_N_per_mm_,
                   "A reference spring of so many N/mm lies in the plate's place: finds the "
                   "latency between stage and force alone")
      ->check(CLI::Range(1.0, 100.0));
  plate->add_option("-o,--output", plate_.keep, "Keep the recording as this .tact file");
  plate->add_flag("-y,--yes", yes_, "The rig may move");
  plate->footer(
      "Six presses, two each at three speeds (0.1 mm/s at most; on a spring 1 mm/s). Compliance\n"
      "and height go into the rig file; later depths are corrected by them.\n"
      "Example:\n  tactelier plate --devices lab.json --rig rig.json --force 5");
  runs(plate, "plate", [this](Console& console) {
    plate_.place = record_.place;
    if (spring_N_per_mm_) plate_.spring_N_per_m = *spring_N_per_mm_ * 1e3;
    return run_plate(console, plate_, yes_);
  });
}

void RigGrammar::add_rig(CLI::App& app, const RunsCommand& runs) {
  auto* rig = app.add_subcommand("rig", "The process that owns the devices and supervises them");
  rig->require_subcommand(1);
  first_.add_to(*rig, runs);
  auto* serve = rig->add_subcommand("serve", "Be that process; record starts one when needed");
  add_place(*serve);
  serve->add_option("--idle-exit", idle_exit_s_, "End after so many seconds without a client")
      ->check(CLI::Range(0.0, 1e6));
  runs(serve, "rig",
       [this](Console& console) { return run_rig_serve(console, record_.place, idle_exit_s_); });
  control_.add_to(*rig, runs);
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
                   "What rig and devices are like: clean (little noise), lab (everything, as "
                   "published, drawn by seed) or rough (twice that)")
      ->type_name("clean|lab|rough")
      ->capture_default_str();
  bench->add_option("--seed", bench_.seed, "Of pad, rig and noise")->capture_default_str();
  bench
      ->add_option("--dialect", bench_.dialect,
                   "Firmware of the stage's controller; they differ in how they stop")
      ->type_name("grbl|grblhal|fluidnc|marlin|zaber")
      ->capture_default_str();
  bench->add_flag(
      "--encoder", bench_.encoder,
      "A linear encoder beside the stage's z, 1000 readings a second: recorded as z_enc");
  bench
      ->add_option("--force-sensor", bench_.force,
                   "The force sensor: net-ft, or a six-axis sensor by its shipped description "
                   "(bota-serial, robotiq-ft300, ...: devices list names them)")
      ->type_name("NAME")
      ->capture_default_str();
  bench
      ->add_option("--array", bench_.array,
                   "The array's controller: a DSA sends 30 frames a second at most")
      ->type_name("weiss-wts|weiss-dsa")
      ->capture_default_str();
  bench->add_flag("--usual-ports", bench_.usual_ports,
                  "The force sensor's box at a Net F/T's own ports, UDP 49152 and TCP 49151, and "
                  "its web page at 8080 (80 is root's); else ports that are free");
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
      "Emulates stage (GRBL), force sensor (Net F/T) and array (Weiss) over one simulated\n"
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
      "written. Exit status 4 when a device is silent, refused or gone, and when a force sensor\n"
      "was saturated or doesn't send at the device file's rate_hz: within 2 % for clocks, and\n"
      "20 ms (or the longest pause) at either end for late arrivals.");
  runs(test, "devices",
       [this](Console& console) { return run_devices_test(console, file_, seconds_); });
  add_learn(*devices, runs);
}

void RigGrammar::add_learn(CLI::App& devices, const RunsCommand& runs) {
  auto* learn = devices.add_subcommand(
      "learn", "Listen to an unknown tactile board and propose a description of its frames");
  learn->add_option("PORT", learn_.port, "Port of the board, or a URL (tcp:..., udp:...)")
      ->required();
  learn->add_option("-o,--output", learn_.target, "Write the description there (.json)");
  learn->add_option("--baud", learn_.baud, "Speed of the port")
      ->check(CLI::Range(50, 4'000'000))
      ->capture_default_str();
  learn->add_option("--seconds", learn_.seconds, "How long to listen")
      ->check(CLI::Range(0.5, 600.0))
      ->capture_default_str();
  learn->add_option("--send", learn_.send, "What makes it stream: \"F0 C4\" or \"'S'\"")
      ->type_name("BYTES");
  learn->add_option("--rows", learn_.rows, "Instead of a guess")->check(CLI::Range(1, 1000));
  learn->add_option("--columns", learn_.columns, "Instead of a guess")->check(CLI::Range(1, 1000));
  learn->footer(
      "Press the array here and there meanwhile: neighbours that feel the same press tell rows\n"
      "from columns. What could not be known is a warning.\n"
      "Example:\n  tactelier devices learn /dev/ttyUSB0 --baud 1000000 -o board.json");
  runs(learn, "devices", [this](Console& console) { return run_devices_learn(console, learn_); });
}

void RigGrammar::add_doctor(CLI::App& app, const RunsCommand& runs) {
  auto* doctor = app.add_subcommand("doctor", "What would spoil a recording, and how to mend it");
  doctor->add_option("FILE", file_, "Device file: its devices' settings are checked, too");
  doctor->add_option("--rig", planned_.rig, "Rig file: what would help most on this rig, too")
      ->type_name("FILE");
  doctor
      ->add_option("--protocol", planned_.protocol,
                   "Of which protocol's numbers; standard when left out")
      ->type_name("NAME|FILE")
      ->needs("--rig");
  doctor->add_flag("--fix", fix_,
                   "Send the stage's controller the settings that are recommended, once agreed to");
  doctor->add_flag("-y,--yes", yes_, "With --fix: agreed");
  doctor->footer(
      "Permissions, services that grab ports, latency timers, socket buffers; with FILE network\n"
      "address, the Net F/T's filter, the stage's $1, limits and steps per mm; with --rig what "
      "would\n"
      "narrow a protocol's numbers most, each worked out with and without. Changes nothing but by\n"
      "--fix, which shows what it would send and asks.\n"
      "Exit status 4 when a device can't be reached.");
  runs(doctor, "doctor", [this](Console& console) {
    if (planned_.protocol.empty()) planned_.protocol = "standard";
    if (fix_ && file_.empty())
      return console.fail({ErrorCode::kUsage, "--fix: of which devices? Give a device file"});
    return run_doctor(console, {file_, planned_, fix_, yes_});
  });
}

}  // namespace tactelier::cli
