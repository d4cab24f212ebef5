#include "reports/fit_verdict.hpp"

#include <algorithm>

#include "fitting/engine/facts.hpp"
#include "fitting/engine/purpose.hpp"
#include "fitting/engine/stage.hpp"
#include "reports/fit_results.hpp"

namespace tactelier {
namespace {

/// Not so a number that was not asked for by name and that the sensor's description doesn't give
/// what it takes.
bool awaited(const ResultRow& row, const SensorModel& model) {
  const auto* facts = facts_of_stage(row.stage);
  return facts == nullptr || is_expected(*facts, model.sensor) ||
         std::ranges::count(asked_stages(model), row.stage) > 0;
}

/// Of a calibration; what describes the recording (its rate, the rig) is not counted as missing.
bool counts(const ResultGroup& group) {
  const auto* fact = group_of(group.id);
  return fact == nullptr || !fact->of_recording;
}

void note_missing(const ResultRow& row, std::vector<MissingNumber>& missing) {
  const auto advice = advice_for(row.parameter.reason, row.path);
  missing.push_back({row.path, advice.cause, advice.protocol});
}

void count_tactels(const SensorModel& model, FitVerdict& verdict) {
  verdict.tactels = static_cast<int>(model.response.tactels.size());
  for (const auto& tactel : model.response.tactels) {
    verdict.calibrated += tactel.press_gain.usable() ? 1 : 0;
    verdict.dead += tactel.status == TactelStatus::kDead ? 1 : 0;
    verdict.stuck += tactel.status == TactelStatus::kStuck ? 1 : 0;
  }
}

/// What stages are run for first, then what they tell besides.
std::vector<ResultRow> calibration_rows(const SensorModel& model) {
  std::vector<ResultRow> rows;
  for (auto& group : array_results(model))
    if (counts(group)) rows.insert(rows.end(), group.rows.begin(), group.rows.end());
  std::stable_partition(rows.begin(), rows.end(), [](const ResultRow& row) {
    return is_purpose(row.stage, row.path, row.parameter);
  });
  return rows;
}

}  // namespace

StageOutcome stage_outcome(const SensorModel& model, const std::string& stage) {
  StageOutcome outcome;
  if (!model.quality.contains(stage)) return outcome;
  for (const auto& group : array_results(model))
    for (const auto& row : group.rows) {
      if (row.stage != stage) continue;
      if (!outcome.tactels) {
        outcome.have += row.parameter.usable() ? 1 : 0;
        ++outcome.of;
      }
      if (row.path != "response.tactels[].press_gain") continue;
      outcome.tactels = true;
      outcome.have = row.spread.have;
      outcome.of = row.spread.of;
    }
  outcome.unmet = unmet_requirement(model, stage).value_or("");
  outcome.kind = outcome.of == 0 && outcome.unmet.empty() ? StageOutcome::Kind::kComplete
                 : outcome.of == 0                        ? StageOutcome::Kind::kInPart
                 : outcome.have == 0                      ? StageOutcome::Kind::kNothing
                 : outcome.unmet.empty()                  ? StageOutcome::Kind::kComplete
                                                          : StageOutcome::Kind::kInPart;
  return outcome;
}

FitVerdict judge_fit(const SensorModel& model, std::span<const std::string> required) {
  FitVerdict verdict;
  count_tactels(model, verdict);
  for (const auto& row : calibration_rows(model)) {
    if (row.parameter.identified() && !row.is_spread()) verdict.identified.push_back(row.path);
    if (!row.parameter.usable() && awaited(row, model)) note_missing(row, verdict.missing);
  }
  std::vector<std::string> wanted(required.begin(), required.end());
  if (wanted.empty() && model.provenance.options.contains("stages")) wanted = asked_stages(model);
  if (wanted.empty())
    for (const auto* facts : stage_facts())
      if (is_expected(*facts, model.sensor)) wanted.emplace_back(facts->id);
  for (const auto& stage : wanted)
    if (auto unmet = unmet_requirement(model, stage)) verdict.unmet.push_back(std::move(*unmet));
  if (!anything_identified(model))
    verdict.level = FitVerdict::Level::kNothing;
  else
    verdict.level =
        verdict.unmet.empty() ? FitVerdict::Level::kComplete : FitVerdict::Level::kIncomplete;
  return verdict;
}

}  // namespace tactelier
