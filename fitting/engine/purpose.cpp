#include "fitting/engine/purpose.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fitting/engine/facts.hpp"
#include "libcalib/model_file/model_file.hpp"

namespace tactelier {
namespace {

bool refines(std::string_view stage) {
  const auto* facts = facts_of_stage(stage);
  return facts != nullptr && facts->kind == StageFacts::Kind::kRefines;
}

const ParameterFact* fact_among(const FactTable& table, std::string_view path) {
  const auto* fact = fact_of(path);
  const auto own = std::any_of(table.parameters.begin(), table.parameters.end(),
                               [&](const ParameterFact& row) { return &row == fact; });
  return own ? fact : nullptr;
}

/// A stage whose every purpose stands once per tactel is counted in tactels.
bool counts_tactels(const StageFacts& facts) {
  int purposes = 0, by_tactel = 0;
  for (const auto& fact : facts.table.parameters) {
    purposes += fact.purpose ? 1 : 0;
    by_tactel += fact.purpose && fact.path.starts_with("response.tactels[]") ? 1 : 0;
  }
  return purposes > 0 && purposes == by_tactel;
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const auto comma = std::min(list.find(','), list.size());
    names.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(list.size(), comma + 1));
  }
  return names;
}

/// Met by any purpose of the stage; otherwise the reason of the last that has none.
std::optional<std::string> without_any_purpose(const SensorModel& model, std::string_view stage) {
  std::string reason = "it has no number";
  bool found = false;
  for_each_parameter(model,
                     [&](const std::string& path, const Parameter& parameter, std::string_view) {
                       if (!is_purpose(stage, path, parameter)) return;
                       found = found || parameter.identified();
                       if (!parameter.usable()) reason = parameter.reason;
                     });
  if (found) return std::nullopt;
  return reason;
}

}  // namespace

bool is_purpose(std::string_view stage, std::string_view path, const Parameter& parameter) {
  const auto* facts = facts_of_stage(stage);
  if (facts == nullptr) return false;
  if (refines(stage)) return parameter.from == stage;
  const auto* fact = fact_among(facts->table, path);
  return fact != nullptr && fact->purpose;
}

bool is_expected(const StageFacts& facts, const SensorDescription& sensor) {
  return facts.expected == nullptr || facts.expected(sensor);
}

std::vector<std::string> asked_stages(const SensorModel& model) {
  const auto asked = model.provenance.options.find("stages");
  if (asked != model.provenance.options.end()) return split(asked->second);
  std::vector<std::string> all;
  for (const auto* facts : stage_facts())
    if (facts->kind != StageFacts::Kind::kPrepares && is_expected(*facts, model.sensor))
      all.emplace_back(facts->id);
  return all;
}

std::vector<StageFound> found_by_stage(const SensorModel& model) {
  std::vector<StageFound> all;
  for (const auto& name : asked_stages(model)) {
    const auto* facts = facts_of_stage(name);
    all.push_back({name, {}, facts != nullptr && counts_tactels(*facts)});
  }
  for_each_parameter(model,
                     [&](const std::string& path, const Parameter& parameter, std::string_view) {
                       for (auto& stage : all) {
                         if (!is_purpose(stage.stage, path, parameter)) continue;
                         stage.tally.found += parameter.identified() ? 1 : 0;
                         ++stage.tally.of;
                       }
                     });
  for (auto& stage : all)
    if (const auto* facts = facts_of_stage(stage.stage);
        facts != nullptr && facts->tally != nullptr)
      stage.tally = facts->tally(model);
  return all;
}

std::string found_words(const SensorModel& model) {
  std::vector<std::string> found, nothing;
  for (const auto& [stage, tally, tactels] : found_by_stage(model)) {
    if (tally.found > 0)
      found.push_back(fmt::format("{} {} of {} {}", stage, tally.found, tally.of,
                                  tactels ? "tactels" : "numbers"));
    else if (!refines(stage) && tally.of > 0)
      nothing.push_back(stage);
  }
  auto words = fmt::format("{}", fmt::join(found, ", "));
  if (!nothing.empty())
    words += fmt::format("{}nothing of {}", words.empty() ? "" : "; ", fmt::join(nothing, ", "));
  return words;
}

std::optional<std::string> unmet_requirement(const SensorModel& model, std::string_view stage) {
  const auto* facts = facts_of_stage(stage);
  auto unmet = facts != nullptr && facts->unmet != nullptr ? facts->unmet(model)
                                                           : without_any_purpose(model, stage);
  if (unmet) return fmt::format("{}: {}", stage, *unmet);
  return std::nullopt;
}

bool anything_identified(const SensorModel& model) {
  const auto stages = found_by_stage(model);
  return std::any_of(stages.begin(), stages.end(),
                     [](const StageFound& stage) { return stage.tally.found > 0; });
}

}  // namespace tactelier
