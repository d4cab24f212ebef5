// doctor, devices learn

#include <algorithm>

#include "app/cli/ask_person.hpp"
#include "app/cli/commands.hpp"
#include "app/workflow/examine.hpp"
#include "app/workflow/exit_status.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

std::string check_text(const SystemCheck& check) {
  auto text = fmt::format("{:<5} {:<28} {}\n", to_string(check.state), check.what, check.words);
  if (!check.remedy.empty()) text += fmt::format("{:35}-> {}\n", "", check.remedy);
  return text;
}

/// Shows what would be sent, and asks.
Result<void> agree_to_fix(Console& console, const SystemChecks& checks, bool yes) {
  for (const auto& check : checks)
    if (check.fix) console.print(check_text(check));
  console.note(fmt::format("--fix sends the stage's controller, for good: {}",
                           fix_words(stage_fixes(checks))));
  if (!yes && !agrees("Send that?"))
    return fail(ErrorCode::kUsage,
                "nothing was sent: answer y on a terminal, or give --yes with --fix");
  return {};
}

}  // namespace

int run_doctor(Console& console, const DoctorArguments& arguments) {
  const auto& file = arguments.file;
  bool asked = false;
  AgreeToFix consent;
  if (arguments.fix)
    consent = [&](const SystemChecks& checks) {
      asked = true;
      return agree_to_fix(console, checks, arguments.yes);
    };
  const auto checks = examine({file, arguments.plan}, consent, console.job());
  if (!checks) return console.fail(checks.error());
  if (arguments.fix && !asked) console.note("--fix: nothing that could be sent");
  auto list = json::array();
  for (const auto& check : *checks) {
    console.print(check_text(check));
    list.push_back(check_json(check));
  }
  if (file.empty()) console.note("Give a device file to have its devices' settings checked, too.");
  const bool bad = std::any_of(checks->begin(), checks->end(), [](const SystemCheck& check) {
    return check.state == CheckState::kBad;
  });
  return console.finish({{"checks", std::move(list)}}, {}, bad ? kExitDevice : kExitDone);
}

int run_devices_learn(Console& console, const LearnRequest& request) {
  const auto learned = learn_device(request, console.job());
  if (!learned) return console.fail(learned.error());
  for (const auto& finding : learned->findings) console.print(finding + "\n");
  console.print(fmt::format("tried on the capture: {} frames, {:.1f} % of the bytes\n",
                            learned->frames, 100 * learned->explained));
  if (request.target)
    console.print(fmt::format("written: {}\n", request.target->string()));
  else
    console.print("\n" + learned->document);
  return console.finish({{"ports", nullptr},
                         {"drivers", nullptr},
                         {"descriptions", nullptr},
                         {"health", nullptr},
                         {"learned", learned_json(*learned)}},
                        doubts_of(*learned, request));
}

}  // namespace tactelier::cli
