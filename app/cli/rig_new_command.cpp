// rig new

#include <unistd.h>

#include <array>

#include "app/cli/interview.hpp"
#include "app/cli/rig_first.hpp"
#include "app/workflow/rig_draft.hpp"
#include "libcalib/sensor/indenter.hpp"
#include "libcalib/units.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

/// Of something that may be left out.
template <class Value, class Read>
auto into(std::optional<Value>& value, Read read) {
  return [&value, read](const std::string& words) -> Result<void> {
    if (words.empty()) return {};
    auto got = read(words);
    if (!got) return fail(got.error());
    value = *got;
    return {};
  };
}

template <class Value, class Read>
auto into(Value& value, Read read) {
  return [&value, read](const std::string& words) -> Result<void> {
    auto got = read(words);
    if (!got) return fail(got.error());
    value = std::move(*got);
    return {};
  };
}

auto length_m(double least_mm, double most_mm) {
  return [=](const std::string& words) {
    return number_of(words, least_mm, most_mm).map([](double value_mm) {
      return mm_to_m(value_mm);
    });
  };
}

auto number(double least, double most) {
  return [=](const std::string& words) { return number_of(words, least, most); };
}

Result<std::string> axis_words(const std::string& words) {
  for (const char* known : {"x", "+x", "-x", "y", "+y", "-y", "z", "+z", "-z"})
    if (words == known) return words;
  return fail(ErrorCode::kUsage, "'{}': one of x, -x, y, -y, z, -z expected", words);
}

/// "0,-48": x and y in mm.
Result<std::array<double, 2>> ground_of(const std::string& words) {
  constexpr double kFar_mm = 10000;
  const auto comma = words.find(',');
  if (comma == words.npos)
    return fail(ErrorCode::kUsage, "'{}': x, y in mm expected, e.g. 0,-48", words);
  const auto x_mm = number_of(words.substr(0, comma), -kFar_mm, kFar_mm);
  if (!x_mm) return fail(x_mm.error());
  const auto from = words.find_first_not_of(' ', comma + 1);
  const auto y_mm = number_of(from == words.npos ? "" : words.substr(from), -kFar_mm, kFar_mm);
  if (!y_mm) return fail(y_mm.error());
  return std::array{mm_to_m(*x_mm), mm_to_m(*y_mm)};
}

/// "cylinder 1", "sphere 6": others are written into the file by hand.
Result<std::string> indenter_words(const std::string& words) {
  if (words.empty()) return words;
  const auto space = words.find(' ');
  const auto shape = words.substr(0, space);
  if (space == words.npos || (shape != "cylinder" && shape != "sphere"))
    return fail(
        ErrorCode::kUsage,
        "'{}': 'cylinder 1' or 'sphere 6' expected (diameter in mm); leave other shapes out "
        "and write them into the file (indenter)",
        words);
  const auto diameter_mm = number_of(words.substr(space + 1), 0.01, 1000);
  if (!diameter_mm) return fail(diameter_mm.error());
  const json indenter{{"id", fmt::format("{}{:g}", shape, *diameter_mm)},
                      {"shape", shape},
                      {"diameter_mm", *diameter_mm}};
  if (auto sound = parse_indenter(indenter.dump(), "indenter"); !sound) return fail(sound.error());
  return indenter.dump();
}

Result<RigAnswers> interview(const RigNewArguments& arguments, const RigFindings& findings,
                             std::stop_token stop) {
  RigAnswers answers;
  Interview ask(arguments.given, ::isatty(STDIN_FILENO) == 1, std::move(stop));
  // Where nobody says a number, the file says so beside it.
  const auto ask_for = [&](const char* key, const InterviewQuestion& question, const auto& take) {
    if (!ask.ask(question, take)) answers.usual.insert(key);
  };
  ask_for("/name", {"--name", "What is the rig called?", answers.name},
          into(answers.name, [](const std::string& words) { return Result<std::string>(words); }));
  ask.ask({"--emergency-stop",
           "Is there a switch within reach that cuts the motors' power? (yes, no)", std::nullopt},
          into(answers.emergency_stop, yes_or_no));
  ask_for("/force_sensor/press_axis",
          {"--press-axis",
           "Axis of the force sensor along which pressing the tip upwards reads positive",
           answers.press_axis},
          into(answers.press_axis, axis_words));
  ask_for("/limits/max_force_N",
          {"--max-force", "Most force on pad and plate, in N",
           fmt::format("{:g}", usual_force_N(findings, answers.press_axis))},
          into(answers.max_force_N, number(0.01, 10000)));
  ask_for("/limits/max_depth_mm",
          {"--max-depth", "Deepest under the first touch, in mm",
           fmt::format("{:g}", m_to_mm(usual_depth_m(findings)))},
          into(answers.max_depth_m, length_m(0.01, 100)));
  ask_for("/stage/safe_height_mm",
          {"--safe-height", "Height over the pad above which the tip may go sideways, in mm",
           fmt::format("{:g}", m_to_mm(answers.safe_height_m))},
          into(answers.safe_height_m, length_m(0.1, 1000)));
  ask.ask({"--tip-length", "From the force sensor's origin to the tip, in mm", ""},
          into(answers.tip_length_m, length_m(0, 1000)));
  ask.ask({"--indenter", "What is on the tip (cylinder 1, sphere 6; mm)", ""},
          into(answers.indenter, indenter_words));
  ask.ask({"--gain-u", "Standard uncertainty of the force's gain by its certificate, in %", ""},
          into(answers.gain_u_percent, number(0, 100)));
  ask.ask({"--check-mass", "A known mass to hang on the tip at each power-up, in g", ""},
          into(answers.check_mass_kg, [](const std::string& words) {
            return number_of(words, 1, 10000).map([](double mass_g) { return g_to_kg(mass_g); });
          }));
  const auto* later = "about, x, y, z in mm of the stage; 'rig setup' asks where it is left out";
  ask.ask({"--pad", fmt::format("Where the tip touches the middle of the array: {}", later), ""},
          into(answers.pad_m, place_of));
  ask.ask({"--plate", fmt::format("Top of the rigid plate: {}", later), ""},
          into(answers.plate_m, place_of));
  ask.ask({"--ground", "Bare ground beside the pad: x, y in mm of the stage, likewise", ""},
          into(answers.ground_m, ground_of));
  ask.ask({"--park", "Where people can reach the pad, x, y, z in mm of the stage", ""},
          into(answers.park_m, place_of));
  if (auto said = ask.verdict(); !said) return fail(said.error());
  return answers;
}

std::string table_of(const RigDraft& draft) {
  std::string text;
  for (const auto& one : draft.keys)
    if (!one.source.empty())
      text += fmt::format("{:<42}{:<36}  {}\n", one.key, one.value, one.source);
  return text;
}

}  // namespace

int run_rig_new(Console& console, const RigNewArguments& arguments) {
  const auto devices = devices::load_device_file(arguments.devices);
  if (!devices) return console.fail(devices.error());
  console.note("Looking at the devices; nothing moves.");
  const auto findings = look_at_rig(*devices);
  if (!findings) return console.fail(findings.error());
  const auto answers = interview(arguments, *findings, console.job().stop);
  if (!answers) return console.fail(answers.error());
  const auto draft = write_rig(*answers, *findings, arguments.target);
  if (!draft) return console.fail(draft.error());
  const auto notes = notes_of(arguments.target);
  console.print(table_of(*draft));
  console.print(
      fmt::format("written: {}, and what each key means: {}\n", arguments.target, notes.string()));
  console.note(fmt::format("next: tactelier rig setup --devices {} --rig {}", arguments.devices,
                           arguments.target));
  return console.finish(
      {{"created",
        {{"rig", arguments.target}, {"notes", notes.string()}, {"document", draft->document}}}},
      {});
}

}  // namespace tactelier::cli
