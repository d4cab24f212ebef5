#include "reports/document/verdict_words.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "fitting/engine/facts.hpp"
#include "reports/document/parameter_rows.hpp"

namespace tactelier {
namespace {

std::string group_label(const std::string& path) {
  const auto* group = group_of(path);
  return group != nullptr ? std::string(group->label) : path.substr(0, path.find('.'));
}

std::string counted(int count, const char* state) {
  return fmt::format("{} {} {}", count, count == 1 ? "is" : "are", state);
}

std::string tactel_sentence(const FitVerdict& verdict) {
  auto text = fmt::format("{} of {} tactels {} calibrated", verdict.calibrated, verdict.tactels,
                          verdict.calibrated == 1 ? "is" : "are");
  if (verdict.dead > 0) text += ", " + counted(verdict.dead, "dead");
  if (verdict.stuck > 0) text += ", " + counted(verdict.stuck, "stuck");
  return text + ".";
}

bool is_purpose_path(const std::string& path) {
  const auto* fact = fact_of(path);
  return fact != nullptr && fact->purpose;
}

bool not_run(const MissingNumber& missing) {
  const auto* fact = fact_of_code("NOT-FITTED", missing.path);
  return fact != nullptr && missing.cause == fact->cause;
}

/// What is missing for one cause, and what would supply it.
struct Gap {
  std::string cause, protocol;
  std::vector<std::string> names;
};

void add_name(const std::string& name, const MissingNumber& missing, std::vector<Gap>& gaps) {
  auto same = std::find_if(gaps.begin(), gaps.end(), [&](const Gap& gap) {
    return gap.cause == missing.cause && gap.protocol == missing.protocol;
  });
  if (same == gaps.end()) same = gaps.insert(gaps.end(), {missing.cause, missing.protocol, {}});
  if (std::find(same->names.begin(), same->names.end(), name) == same->names.end())
    same->names.push_back(name);
}

/// Of what stages are run for: whole groups by their name, others by that of the parameter. What
/// comes along is in the table of what is missing.
std::vector<Gap> gaps_of(const FitVerdict& verdict) {
  std::vector<Gap> gaps;
  for (const auto& missing : verdict.missing) {
    if (!is_purpose_path(missing.path) || not_run(missing)) continue;
    const auto group = group_label(missing.path);
    const bool whole = std::none_of(
        verdict.identified.begin(), verdict.identified.end(), [&](const std::string& path) {
          return is_purpose_path(path) && group_label(path) == group;
        });
    add_name(whole && missing.path.find("[]") == std::string::npos ? group
                                                                   : parameter_label(missing.path),
             missing, gaps);
  }
  return gaps;
}

std::string gap_sentence(const Gap& gap) {
  auto text = fmt::format("Not identified: {} ({}", fmt::join(gap.names, ", "), gap.cause);
  if (!gap.protocol.empty())
    text += fmt::format("; record {}, {}", gap.protocol, protocol_words(gap.protocol));
  return text + ").";
}

}  // namespace

std::vector<std::string> verdict_sentences(const SensorModel& model, const FitVerdict& verdict) {
  std::vector<std::string> sentences;
  if (model.joints.empty() || verdict.calibrated > 0) sentences.push_back(tactel_sentence(verdict));
  std::vector<std::string> labels;
  for (const auto& path : verdict.identified) {
    auto label = parameter_label(path);
    if (is_purpose_path(path) && std::find(labels.begin(), labels.end(), label) == labels.end())
      labels.push_back(std::move(label));
  }
  if (!labels.empty())
    sentences.push_back(
        fmt::format("Identified for the sensor as a whole: {}.", fmt::join(labels, ", ")));
  for (const auto& gap : gaps_of(verdict)) sentences.push_back(gap_sentence(gap));
  return sentences;
}

}  // namespace tactelier
