#include "libcalib/import/event_rule.hpp"

#include <algorithm>
#include <array>

#include "libcalib/json_check.hpp"
#include "libcalib/session/json_get.hpp"

namespace tactelier {
namespace {

using nlohmann::json;
using Find = EventRule::Find;

struct Known {
  std::string_view text;
  Find find;
};
constexpr std::array kFinds{Known{"presses", Find::kPresses}, Known{"plateaus", Find::kPlateaus},
                            Known{"holds", Find::kHolds}, Known{"slides", Find::kSlides},
                            Known{"cycles", Find::kCycles}};

constexpr double kLevelPercent = 2, kCyclePercent = 10;  // within_percent where nobody says it

std::string cell_text(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

class RuleReader {
 public:
  /// `first_line`: that can be a row, behind the line of names where there is one.
  RuleReader(const json& object, const std::vector<std::string>& columns, std::uint64_t first_line,
             EventRule rule)
      : object_(object), columns_(columns), first_line_(first_line), rule_(std::move(rule)) {}

  Result<EventRule> read() {
    if (const auto done = where(); !done) return fail(done.error());
    if (const auto done = by(); !done) return fail(done.error());
    if (const auto done = rows(); !done) return fail(done.error());
    if (const auto done = find(); !done) return fail(done.error());
    rule_.files = get_text(object_, "files");
    if (const auto* data = get_member(object_, "data")) rule_.data = data->dump();
    return std::move(rule_);
  }

 private:
  tl::unexpected<Error> bad(std::string_view key, std::string_view what) const {
    return fail(ErrorCode::kInvalidInput, "{}: {}: {}", rule_.where_in_map, key, what);
  }

  Result<void> check_column(std::string_view key, const std::string& name) const {
    if (std::find(columns_.begin(), columns_.end(), name) != columns_.end()) return {};
    return bad(key,
               fmt::format("'{}' is no column of the map{}", name, did_you_mean(name, columns_)));
  }

  Result<void> where() {
    const auto* where = get_member(object_, "where");
    if (where == nullptr) return {};
    for (const auto& [name, wanted] : where->items()) {
      if (const auto known = check_column("where", name); !known) return known;
      EventRule::Condition condition{name, {}, {}, {}};
      if (wanted.is_object()) {
        condition.below = get_number(wanted, "below");
        condition.above = get_number(wanted, "above");
      } else if (wanted.is_array()) {
        for (const auto& cell : wanted) condition.cells.push_back(cell_text(cell));
      } else {
        condition.cells.push_back(cell_text(wanted));
      }
      rule_.where.push_back(std::move(condition));
    }
    return {};
  }

  Result<void> by() {
    const auto* by = get_member(object_, "by");
    if (by == nullptr) return {};
    for (const auto& column : *by) {
      rule_.by.push_back(column.get<std::string>());
      if (const auto known = check_column("by", rule_.by.back()); !known) return known;
    }
    return {};
  }

  Result<void> rows() {
    const auto* rows = get_member(object_, "rows");
    if (rows == nullptr) return {};
    const bool single = !rows->empty() && rows->front().is_number();
    const json ranges = single ? json::array({*rows}) : *rows;
    for (const auto& range : ranges) {
      const auto first = range[0].get<std::uint64_t>();
      const auto last = range[1].get<std::uint64_t>();
      if (first < first_line_ || last < first)
        return bad("rows",
                   fmt::format("[{}, {}] is no range of lines; {}the first stands before "
                               "the last",
                               first, last, first_line_ > 1 ? "line 1 is the header, and " : ""));
      rule_.lines.emplace_back(first, last);
    }
    return {};
  }

  Result<void> find() {
    const auto text = get_text(object_, "find");
    for (const auto& known : kFinds)
      if (known.text == text) rule_.find = known.find;
    rule_.level.least_s = get_number(object_, "least_s");
    rule_.level.within =
        get_number(object_, "within_percent")
            .value_or(rule_.find == Find::kCycles ? kCyclePercent : kLevelPercent) /
        100;
    rule_.threshold_N = get_number(object_, "threshold_N").value_or(0);
    if (rule_.find == Find::kPresses && rule_.threshold_N <= 0)
      return bad("find", "\"presses\" needs threshold_N, the force above rest that is a press");
    if (rule_.detects() && !rule_.by.empty())
      return bad("find", "finds where events begin; leave 'by' out, or 'find'");
    return {};
  }

  const json& object_;
  const std::vector<std::string>& columns_;
  std::uint64_t first_line_;
  EventRule rule_;
};

/// One object or a list of them.
json as_list(const json* member) {
  if (member == nullptr) return json::array();
  return member->is_array() ? *member : json::array({*member});
}

}  // namespace

Result<std::vector<EventRule>> parse_event_rules(const json& map,
                                                 const std::vector<std::string>& columns) {
  std::vector<EventRule> rules;
  const std::uint64_t first_line = map.contains("names") ? 1 : 2;
  const auto add = [&](const json& object, std::string event, std::string place) -> Result<void> {
    EventRule rule;
    rule.event = std::move(event);
    rule.where_in_map = std::move(place);
    auto read = RuleReader(object, columns, first_line, std::move(rule)).read();
    if (!read) return fail(read.error());
    rules.push_back(std::move(*read));
    return {};
  };
  for (const auto& rest : as_list(get_member(map, "rest")))
    if (!rest.contains("reads"))
      if (const auto added = add(rest, "zero", "rest"); !added) return fail(added.error());
  std::size_t number = 0;
  for (const auto& event : as_list(get_member(map, "events"))) {
    const auto name = event["event"].get<std::string>();
    const auto place = fmt::format("events[{}] ({})", number++, name);
    if (const auto added = add(event, name, place); !added) return fail(added.error());
  }
  return rules;
}

}  // namespace tactelier
