#include "app/workflow/examine.hpp"

namespace tactelier {
namespace {

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

Result<SystemChecks> examine_devices(const devices::DeviceFile& file, const AgreeToFix& agrees) {
  auto checks = check_devices(file);
  const auto fixes = stage_fixes(checks);
  if (!agrees || fixes.empty()) return checks;
  if (auto agreed = agrees(checks); !agreed) return fail(agreed.error());
  if (auto sent = fix_stage(file, fixes); !sent) return fail(sent.error());
  return check_devices(file);
}

void append(SystemChecks& checks, SystemChecks more) {
  checks.insert(checks.end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
}

}  // namespace

Result<SystemChecks> examine(const ExamineRequest& request, const AgreeToFix& agrees,
                             const Job& job) {
  auto plan = request.plan;
  auto checks = check_system();
  if (!request.devices.empty()) {
    const auto file = devices::load_device_file(request.devices);
    if (!file) return fail(file.error());
    auto more = examine_devices(*file, agrees);
    if (!more) return more;
    append(checks, std::move(*more));
    plan.on_rig = file->sensor;
  }
  if (plan.rig) {
    auto more = check_plan(plan, job);
    if (!more) return more;
    append(checks, std::move(*more));
  }
  return checks;
}

std::string_view to_string(CheckState state) {
  if (state == CheckState::kGood) return "good";
  return state == CheckState::kLook ? "look" : "bad";
}

nlohmann::json check_json(const SystemCheck& check) {
  return {{"what", check.what},
          {"state", to_string(check.state)},
          {"words", check.words},
          {"remedy", check.remedy}};
}

}  // namespace tactelier
