#include "reports/missing_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fitting/engine/facts.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "reports/protocol_guide.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kNamed = 4;  // parameters that a row names; the rest are counted

struct Gap {
  std::string cause;
  std::string record;
  std::vector<std::pair<std::string, int>> names;  // label, and how many tactels lack it
};

std::string words_of(const Advice& advice) {
  std::string words;
  if (!advice.protocol.empty()) words = record_words(advice.protocol);
  if (!advice.device.empty()) words += (words.empty() ? "" : "; ") + advice.device;
  return words.empty() ? "-" : words;
}

/// The entry whose `first` is wanted, made at the end where there is none.
template <class List, class Wanted, class Make>
auto& found_or_made(List& list, const Wanted& wanted, const Make& make) {
  const auto found = std::find_if(list.begin(), list.end(), wanted);
  return found != list.end() ? *found : list.emplace_back(make());
}

void note(const std::string& path, const Parameter& parameter, std::vector<Gap>& gaps) {
  const auto advice = advice_for(parameter.reason, path);
  const auto record = words_of(advice);
  auto& gap = found_or_made(
      gaps, [&](const Gap& known) { return known.cause == advice.cause && known.record == record; },
      [&] {
        return Gap{advice.cause, record, {}};
      });
  const auto* fact = fact_of(path);
  const std::string label(fact != nullptr ? fact->label : path);
  auto& name = found_or_made(
      gap.names, [&](const auto& known) { return known.first == label; },
      [&] {
        return std::pair{label, 0};
      });
  if (path.find("tactels[") != path.npos || path.find("_tactel[") != path.npos) ++name.second;
}

std::string names_of(const Gap& gap) {
  std::vector<std::string> shown;
  for (const auto& [label, tactels] : gap.names)
    shown.push_back(tactels > 0 ? fmt::format("{} of {} tactels", label, tactels) : label);
  const auto more = shown.size() > kNamed ? shown.size() - kNamed : 0;
  shown.resize(shown.size() - more);
  return fmt::format("{}{}", fmt::join(shown, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace

Section missing_section(const SensorModel& model) {
  std::vector<Gap> gaps;
  for_each_parameter(model,
                     [&](const std::string& path, const Parameter& parameter, std::string_view) {
                       if (!parameter.usable() && !path.starts_with("presses["))
                         note(path, parameter, gaps);
                     });
  Section section{"What is missing", {}, {}};
  if (gaps.empty()) return section;
  Table table{{"Parameter", "Cause", "Record"}, {}};
  for (const auto& gap : gaps) table.rows.push_back({names_of(gap), gap.cause, gap.record});
  section.tables.push_back(std::move(table));
  return section;
}

}  // namespace tactelier
