#include "app/cli/rig_control_grammar.hpp"

#include <CLI/CLI.hpp>

#include "libcalib/units.hpp"

namespace tactelier::cli {

void RigControlGrammar::add_choice(CLI::App& command, bool may_start) {
  command.add_option("--devices", choice_.devices, "Of which devices; left out: the rig that runs")
      ->type_name("FILE");
  if (may_start)
    command
        .add_option("--rig", choice_.rig, "With --devices: starts the rig process where none runs")
        ->type_name("FILE");
}

void RigControlGrammar::add_to(CLI::App& rig, const RunsCommand& runs) {
  auto* stop = rig.add_subcommand("stop", "STOP: nothing moves any more, the rig is locked");
  add_choice(*stop, false);
  stop->footer(
      "Without --devices every rig process of yours stops. The tip goes up and a recording ends\n"
      "whole; 'rig acknowledge' unlocks, 'record --resume' goes on. Exit status 4 when the stage\n"
      "does not stand. What a computer can't promise: docs/safety.md.");
  runs(stop, "rig", [this](Console& console) { return run_rig_stop(console, choice_); });
  auto* status = rig.add_subcommand("status", "What it does, where it stands, what locked it");
  add_choice(*status, false);
  runs(status, "rig", [this](Console& console) { return run_rig_status(console, choice_); });
  add_moves(rig, runs);
  add_requests(rig, runs);
}

void RigControlGrammar::add_moves(CLI::App& rig, const RunsCommand& runs) {
  using rig::messages::TaskKind;
  const auto add = [&](const char* name, const char* help) {
    auto* command = rig.add_subcommand(name, help);
    add_choice(*command, true);
    command->add_flag("-y,--yes", yes_, "The rig may move");
    return command;
  };
  runs(add("home", "Find the stage's reference switches"), "rig",
       [this](Console& console) { return run_rig_move(console, choice_, TaskKind::kHome, yes_); });
  runs(add("retract", "Lift the tip to the safe height"), "rig", [this](Console& console) {
    return run_rig_move(console, choice_, TaskKind::kRetract, yes_);
  });
  auto* weigh = rig.add_subcommand("weigh", "Prove the force sensor by a known weight at the tip");
  add_choice(*weigh, true);
  weigh->add_option("--mass", mass_g_, "In g; 100 is handy")
      ->required()
      ->check(CLI::Range(1.0, 10000.0));
  weigh->footer(
      "Nothing moves. The weight is hung on the tip when it is asked for: gain (to a tenth), axis\n"
      "and sign. The rig file keeps the mass (check_mass_g), so that it is asked for once at each\n"
      "power-up, before anything goes down.\n"
      "Example:\n  tactelier rig weigh --mass 100 --devices devices.json --rig rig.json");
  runs(weigh, "rig",
       [this](Console& console) { return run_rig_weigh(console, choice_, g_to_kg(mass_g_)); });
  auto* jog = add("jog", "Move by so many millimetres, guarded: a touch ends it");
  jog->add_option("--x", x_mm_, "In mm, of the stage")->check(CLI::Range(-1000.0, 1000.0));
  jog->add_option("--y", y_mm_, "In mm, of the stage")->check(CLI::Range(-1000.0, 1000.0));
  jog->add_option("--z", z_mm_, "In mm, up is positive")->check(CLI::Range(-1000.0, 1000.0));
  jog->add_option("--speed", speed_mm_s_, "In mm/s; slower where the air is unknown")
      ->check(CLI::Range(0.001, 100.0))
      ->capture_default_str();
  jog->footer("Example:\n  tactelier rig jog --z -0.5 --yes");
  runs(jog, "rig", [this](Console& console) {
    const rig::JogWay way{{mm_to_m(x_mm_), mm_to_m(y_mm_), mm_to_m(z_mm_)}, mm_to_m(speed_mm_s_)};
    return run_rig_jog(console, choice_, way, yes_);
  });
}

void RigControlGrammar::add_requests(CLI::App& rig, const RunsCommand& runs) {
  struct Row {
    const char *name, *help, *done;
  };
  static constexpr Row kRows[] = {
      {"acknowledge", "The cause of a stop is gone: unlock the rig", "unlocked"},
      {"pause", "Rest with the tip up, after the press at hand",
       "pauses after the press at hand; 'tactelier rig resume' goes on"},
      {"resume", "Go on after a pause", "goes on"},
      {"skip", "Leave the press at hand, go on with the next", "skipped"},
      {"repeat", "Do the press at hand again", "the press at hand is done again"},
      {"undo", "Take the press at hand or the last one back, and do it again", "taken back"},
      {"finish", "End the recording after the press at hand, in order",
       "ends after the press at hand; 'record --resume' goes on from there"}};
  for (const auto& row : kRows) {
    auto* command = rig.add_subcommand(row.name, row.help);
    add_choice(*command, false);
    runs(command, "rig", [this, &row](Console& console) {
      return run_rig_request(console, choice_, rig::messages::request(row.name), row.done);
    });
  }
  auto* quit =
      rig.add_subcommand("quit", "End the rig process, after the press at hand, and wait for it");
  add_choice(*quit, false);
  runs(quit, "rig", [this](Console& console) { return run_rig_quit(console, choice_); });
  auto* note = rig.add_subcommand("note", "Write a remark into the recording that runs");
  add_choice(*note, false);
  note->add_option("text", note_, "What happened")->required()->type_name("TEXT");
  runs(note, "rig", [this](Console& console) {
    return run_rig_request(console, choice_, rig::messages::note_request(note_), "noted");
  });
}

}  // namespace tactelier::cli
