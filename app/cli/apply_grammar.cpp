#include "app/cli/apply_grammar.hpp"

#include <CLI/CLI.hpp>

namespace tactelier::cli {

void ApplyGrammar::add_to(CLI::App& app, const RunsCommand& runs) {
  auto* apply =
      app.add_subcommand("apply", "Raw readings to newtons with a model: of a recording, or live");
  apply->add_option("MODEL", model_, "Model file")->required();
  apply->add_option("INPUT", input_, "Session, or a CSV with t[s],0,1,...");
  apply->add_option("-o,--output", output_, "Table to write (.csv)");
  add_live(*apply);
  apply->footer(
      "Per tactel i: i[N] the force on the calibration indenter over its centre, i.u95[N]\n"
      "its 95 % uncertainty, i.flag ok, below (within the dead zone), saturated (at least\n"
      "this force), uncalibrated (neither gain and offset nor a curve) or missing.\n"
      "Exit status 5 when no reading became newtons.\n"
      "--live prints a line per frame until Ctrl-C: t[s],frame,0[N],1[N],...,flags with a letter\n"
      "per tactel, o b s u m for the words above; with --json one JSON object per line. Keep the\n"
      "array free for the first second. Nothing moves; devices but the array are left alone.\n"
      "docs/live-newtons.md tells the rest.\n"
      "Examples:\n  tactelier apply wts.json monday.tact -o forces.csv\n"
      "  tactelier apply wts.json --live lab.json\n"
      "  tactelier apply wts.json --live lab.json --udp 127.0.0.1:5005");
  runs(apply, "apply", [this](Console& console) { return run(console); });
}

void ApplyGrammar::add_live(CLI::App& apply) {
  auto* live = apply.add_option("--live", live_.devices, "The array of this device file, now")
                   ->type_name("DEVICES")
                   ->excludes("INPUT")
                   ->excludes("--output");
  const auto add = [&](CLI::Option* option) { return option->needs(live)->group("With --live"); };
  add(apply.add_option("--udp", udp_, "A datagram per frame instead of a line"))
      ->type_name("HOST:PORT");
  add(apply.add_option("--serial", live_.serial,
                       "Serial number of the array that is connected; refuses another's model"));
  add(apply.add_option("--zero", zero_,
                       "What counts as no force: the readings at the start, or the model's"))
      ->type_name("start|model")
      ->check(CLI::IsMember({"start", "model"}))
      ->capture_default_str();
  add(apply.add_option("--zero-seconds", live_.zero_s, "How long the start is read"))
      ->check(CLI::Range(0.1, 60.0))
      ->capture_default_str();
  add(apply.add_option("--seconds", live_.most_s, "End after so long; else on Ctrl-C"))
      ->check(CLI::PositiveNumber);
}

int ApplyGrammar::run(Console& console) {
  live_.model = model_;
  live_.zero_at_start = zero_ == "start";
  if (!live_.devices.empty()) return run_apply_live(console, live_, udp_);
  if (input_.empty() || output_.empty())
    return console.fail(
        {ErrorCode::kUsage, "give MODEL SESSION -o FILE.csv, or MODEL --live DEVICES"});
  return run_apply(console, model_, input_, output_);
}

}  // namespace tactelier::cli
