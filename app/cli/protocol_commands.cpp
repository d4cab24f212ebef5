// protocols list, protocols show; what a dry run prints

#include <cmath>

#include "app/cli/commands.hpp"
#include "app/workflow/json_values.hpp"
#include "libcalib/protocol/plan_table.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

json parameter_json(const PlannedParameter& one) {
  return {{"path", one.path},     {"unit", one.unit},
          {"value", one.value},   {"repeat", or_null(one.repeat)},
          {"u", or_null(one.u)},  {"determined", one.determined},
          {"of", one.of},         {"limit", one.limit},
          {"reason", one.reason}, {"may_fail", one.may_fail}};
}

json addition_json(const Addition& one) {
  return {{"what", one.what}, {"helps", one.helps}, {"gained", one.gained}, {"most", one.most}};
}

json guide_json(const ProtocolGuide& guide) {
  return {{"name", guide.name},
          {"duration_s", or_null(guide.duration_s)},
          {"description", guide.description},
          {"why_not", guide.why_not}};
}

}  // namespace

nlohmann::json planned_json(const PlannedRecording& planned) {
  auto parameters = json::array(), helps = json::array();
  for (const auto& one : planned.parameters) parameters.push_back(parameter_json(one));
  for (const auto& one : planned.additions) helps.push_back(addition_json(one));
  return {{"description", planned.description},
          {"parameters", parameters},
          {"additions", helps},
          {"assumed", planned.quality.assumed}};
}

void print_planned(Console& console, const PlannedRecording& planned) {
  console.print(fmt::format("{}: {}\n\n{}\n\n{}\n", planned.plan.name, planned.summary(),
                            planned.description, plan_text(planned.plan)));
  console.print(planned.sections());
  if (!planned.quality.assumed.empty())
    console.print(
        fmt::format("\nassumed, since `performance` of the rig file does not state it: {}\n",
                    fmt::join(planned.quality.assumed, ", ")));
}

int run_protocol_list(Console& console, const RecordingPlanRequest& request) {
  const auto guides = list_protocols(request);
  if (!guides) return console.fail(guides.error());
  auto list = json::array();
  for (const auto& guide : *guides) list.push_back(guide_json(guide));
  const Section section{
      "Protocols, and how long each takes on this rig", {protocol_table(*guides)}, {}};
  console.print(std::array{section});
  console.note("record --protocol NAME runs one; protocols show NAME says what it will tell.");
  return console.finish({{"protocols", std::move(list)}, {"planned", nullptr}}, {});
}

int run_protocol_show(Console& console, const RecordingPlanRequest& request) {
  const auto planned = plan_recording(request, console.job());
  if (!planned) return console.fail(planned.error());
  print_planned(console, *planned);
  auto result = planned_json(*planned);
  result["duration_s"] = planned->plan.duration_s;
  result["presses"] = planned->plan.presses;
  result["travel_m"] = planned->plan.path_m;
  return console.finish({{"protocols", nullptr}, {"planned", std::move(result)}},
                        planned->plan.warnings);
}

}  // namespace tactelier::cli
