// The dry run's prediction (synth_session.hpp).

#include <algorithm>
#include <map>

#include "app/workflow/fit_sessions.hpp"
#include "app/workflow/synth_session.hpp"
#include "app/workflow/temporary_folder.hpp"
#include "fitting/statistics/robust.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "reports/quantity_text.hpp"

namespace tactelier {
namespace {

struct Group {
  std::string unit;
  std::string stage;
  std::vector<double> values, u;
  int determined = 0;
  int of = 0;
  std::map<std::string, int> reasons;  // of those that are not determined
};

/// "response.tactels[3].press_gain" -> "response.tactels[].press_gain"
std::string group_of(const std::string& path) {
  std::string group;
  bool inside = false;
  for (const char c : path) {
    if (c == ']') inside = false;
    if (!inside) group += c;
    if (c == '[') inside = true;
  }
  return group;
}

std::optional<double> median_of(std::span<const double> values) {
  return values.empty() ? std::nullopt : std::optional(median(values));
}

std::string most_common(const std::map<std::string, int>& reasons) {
  const auto most =
      std::max_element(reasons.begin(), reasons.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == reasons.end() ? "" : most->first;
}

/// In file order. What no stage of this version estimates is left out.
std::vector<Prediction> predictions_of(const SensorModel& model) {
  std::vector<std::string> order;
  std::map<std::string, Group> groups;
  for_each_parameter(
      model, [&](const std::string& path, const Parameter& parameter, std::string_view stage) {
        const bool built = std::any_of(stages().begin(), stages().end(),
                                       [&](const Stage& s) { return s.id == stage; });
        if (!built || parameter.status == Status::kAssumed) return;
        const auto name = group_of(path);
        auto [found, added] = groups.try_emplace(name);
        if (added) order.push_back(name);
        auto& group = found->second;
        group.unit = parameter.unit;
        group.stage = stage;
        ++group.of;
        if (!parameter.identified()) {
          ++group.reasons[parameter.reason];
          return;
        }
        ++group.determined;
        group.values.push_back(*parameter.value);
        if (const auto u = expanded_uncertainty(parameter)) group.u.push_back(*u);
      });
  std::vector<Prediction> predictions;
  for (const auto& name : order) {
    const auto& group = groups[name];
    predictions.push_back({name, group.unit, median_of(group.values), median_of(group.u),
                           group.determined, group.of,
                           group.determined == 0 ? most_common(group.reasons) : ""});
  }
  return predictions;
}

/// Per press and per tactel figures are no parameters that a protocol is written for.
bool is_asked_for(const Prediction& prediction) {
  return !prediction.path.starts_with("presses[]");
}

Warnings cannot_determine(std::span<const Prediction> predictions) {
  Warnings warnings;
  for (const auto& prediction : predictions)
    if (prediction.determined == 0)
      warnings.push_back(
          {"ED-01",
           fmt::format("This protocol cannot determine {}: predicted u = infinite. {}",
                       prediction.path, prediction.reason),
           prediction.path});
  return warnings;
}

}  // namespace

Result<DryRun> rehearse(const SynthRequest& request, const Job& job) {
  DryRun run;
  auto plan = plan_synth(request);
  if (!plan) return fail(plan.error());
  run.plan = std::move(*plan);
  run.warnings = run.plan.warnings;
  const auto folder = TemporaryFolder::create();
  if (!folder) return fail(folder.error());
  auto rehearsal = request;
  rehearsal.target = (*folder)->path() / "rehearsal.tact";
  rehearsal.write_truth.reset();
  if (const auto made = synth_session(rehearsal, job); !made) return fail(made.error());
  FitRequest fit;
  fit.sessions = {rehearsal.target};
  const auto report = fit_sessions(fit, job);
  if (!report) return fail(report.error());
  run.predictions = predictions_of(report->model);
  std::erase_if(run.predictions, [](const Prediction& p) { return !is_asked_for(p); });
  const auto unmet = cannot_determine(run.predictions);
  run.warnings.insert(run.warnings.end(), unmet.begin(), unmet.end());
  return run;
}

}  // namespace tactelier
