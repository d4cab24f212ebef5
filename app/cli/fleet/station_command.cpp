#include "app/cli/fleet/station_command.hpp"

#include <unistd.h>

#include <charconv>
#include <cstdio>

#include "app/cli/line_input.hpp"
#include "app/workflow/exit_status.hpp"

namespace tactelier::cli {
namespace {

/// Prompts and remarks to standard error, verdicts to standard output.
class OperatorAtTerminal : public StationOperator {
 public:
  OperatorAtTerminal(Console& console, const Job& job)
      : console_(console), input_(STDIN_FILENO, job.stop) {}

  Result<std::optional<std::string>> next_line(const StationPrompt& prompt) override {
    input_.forget_typed_ahead();
    ask(prompt_text(prompt));
    return input_.next();
  }
  void begins(StationStep, const std::string&) override {}
  void tell(const std::string& line) override { console_.note(line); }
  void not_measured(const std::string& serial, const std::string& why) override {
    console_.note(fmt::format("{}: NOT MEASURED: {}", serial, why));
  }
  void judged(const StationLabel& label) override {
    std::string line = label_text(label);
    line = line.substr(0, line.find('\n'));
    if (!label.why.empty()) line += ": " + label.why;
    console_.print_now(line + "\n");
    console_.announce(label_json(label), {});
  }
  Result<std::optional<double>> answer(const std::string& text, const std::string& key) override {
    input_.forget_typed_ahead();
    ask(fmt::format("{}{}", text, key.empty() ? " [Enter] " : fmt::format(" {}: ", key)));
    while (true) {
      const auto line = input_.next();
      if (!line) return tactelier::fail(line.error());
      if (!*line) return tactelier::fail(ErrorCode::kCancelled, "no answer to '{}'", text);
      if (key.empty()) return std::nullopt;
      double value = 0;
      const auto* end = (*line)->data() + (*line)->size();
      if (const auto read = std::from_chars((*line)->data(), end, value);
          read.ec == std::errc() && read.ptr == end)
        return value;
      ask("a number, please: ");
    }
  }

 private:
  void ask(const std::string& words) {
    std::fwrite(words.data(), 1, words.size(), stderr);
    std::fflush(stderr);
  }

  Console& console_;
  LineInput input_;
};

std::string tally_text(const StationTally& tally) {
  std::vector<std::string> words;
  for (const auto& [verdict, count] : tally) words.push_back(fmt::format("{} {}", count, verdict));
  return words.empty() ? "nothing was measured" : fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

int run_station_command(Console& console, StationArguments arguments) {
  auto& settings = arguments.settings;
  if (!arguments.yes && ::isatty(STDIN_FILENO) != 1)
    return console.fail(
        {ErrorCode::kUsage,
         "standard input is no terminal, so nobody says that hands are off; give --yes if somebody "
         "does, by the lines that come in"});
  if (!arguments.serials.empty()) {
    auto serials = read_serials(arguments.serials);
    if (!serials) return console.fail(serials.error());
    settings.serials = std::move(*serials);
  }
  const auto sensor = check_station(settings);
  if (!sensor) return console.fail(sensor.error());
  const auto job = console.job();
  OperatorAtTerminal who(console, job);
  const auto rig = station_rig(settings.place);
  const auto tally = run_station(settings, *sensor, *rig, who, job);
  if (!tally) return console.fail(tally.error());
  console.note(tally_text(*tally));
  return kExitDone;
}

}  // namespace tactelier::cli
