// doctor, devices learn

#include <algorithm>

#include "app/cli/ask_person.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/json_values.hpp"
#include "app/workflow/doctor.hpp"
#include "app/workflow/exit_status.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

std::string_view word_of(CheckState state) {
  if (state == CheckState::kGood) return "good";
  return state == CheckState::kLook ? "look" : "bad";
}

std::string check_text(const SystemCheck& check) {
  auto text = fmt::format("{:<5} {:<28} {}\n", word_of(check.state), check.what, check.words);
  if (!check.remedy.empty()) text += fmt::format("{:35}-> {}\n", "", check.remedy);
  return text;
}

/// What would narrow a protocol's numbers most on this rig, each worked out with and without it.
Result<SystemChecks> check_plan(const RecordingPlanRequest& request, const Job& job) {
  const auto planned = plan_recording(request, job);
  if (!planned) return fail(planned.error());
  SystemChecks checks;
  for (const auto& addition : planned->additions)
    checks.push_back({fmt::format("{} on this rig", planned->plan.name), CheckState::kLook,
                      addition_words(addition), ""});
  if (checks.empty())
    checks.push_back({fmt::format("{} on this rig", planned->plan.name), CheckState::kGood,
                      "nothing for little money would tell more", ""});
  return checks;
}

/// Shows what would be sent, asks, sends; the devices are looked at again then.
Result<void> mend(Console& console, const devices::DeviceFile& file, SystemChecks& checks,
                  bool yes) {
  const auto fixes = stage_fixes(checks);
  if (fixes.empty()) {
    console.note("--fix: nothing that could be sent");
    return {};
  }
  console.note(fmt::format("--fix sends the stage's controller, for good: {}", fix_words(fixes)));
  if (!yes && !agrees("Send that?"))
    return fail(ErrorCode::kUsage,
                "nothing was sent: answer y on a terminal, or give --yes with --fix");
  if (auto sent = fix_stage(file, fixes); !sent) return sent;
  checks = check_devices(file);
  return {};
}

}  // namespace

int run_doctor(Console& console, const DoctorArguments& arguments) {
  auto plan = arguments.plan;
  const auto& file = arguments.file;
  auto checks = check_system();
  if (!file.empty()) {
    const auto devices = devices::load_device_file(file);
    if (!devices) return console.fail(devices.error());
    auto more = check_devices(*devices);
    if (arguments.fix) {
      for (const auto& check : more)
        if (check.fix) console.print(check_text(check));
      if (auto mended = mend(console, *devices, more, arguments.yes); !mended)
        return console.fail(mended.error());
    }
    checks.insert(checks.end(), more.begin(), more.end());
    plan.on_rig = devices->sensor;
  }
  if (plan.rig) {
    const auto more = check_plan(plan, console.job());
    if (!more) return console.fail(more.error());
    checks.insert(checks.end(), more->begin(), more->end());
  }
  auto list = json::array();
  for (const auto& check : checks) {
    console.print(check_text(check));
    list.push_back({{"what", check.what},
                    {"state", word_of(check.state)},
                    {"words", check.words},
                    {"remedy", check.remedy}});
  }
  if (file.empty()) console.note("Give a device file to have its devices' settings checked, too.");
  const bool bad = std::any_of(checks.begin(), checks.end(), [](const SystemCheck& check) {
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
  Warnings warnings;
  for (const auto& doubt : learned->doubts) warnings.push_back({"UNSURE", doubt, request.port});
  if (request.target)
    console.print(fmt::format("written: {}\n", request.target->string()));
  else
    console.print("\n" + learned->document);
  return console.finish({{"ports", nullptr},
                         {"drivers", nullptr},
                         {"descriptions", nullptr},
                         {"health", nullptr},
                         {"learned",
                          {{"description", json::parse(learned->document)},
                           {"findings", learned->findings},
                           {"frames", learned->frames},
                           {"explained", learned->explained}}}},
                        warnings);
}

}  // namespace tactelier::cli
