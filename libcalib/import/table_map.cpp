#include "libcalib/import/table_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "libcalib/json_check.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;
using Kind = MapTarget::Kind;

class MapReader {
 public:
  MapReader(const json& document, std::string_view where) : document_(document), where_(where) {}

  Result<TableMap> read() {
    map_.static_readings = document_["row_is"] == "press";
    map_.files = get_text(document_, "files");
    if (const auto* names = get_member(document_, "names"))
      map_.names = names->get<std::vector<std::string>>();
    for (auto part :
         {&MapReader::delimiter, &MapReader::columns, &MapReader::scales, &MapReader::constants,
          &MapReader::rate, &MapReader::events, &MapReader::press_by, &MapReader::check})
      if (const auto done = (this->*part)(); !done) return fail(done.error());
    if (const auto done = session(); !done) return fail(done.error());
    return std::move(map_);
  }

 private:
  tl::unexpected<Error> bad(std::string_view key, std::string_view what) const {
    return fail(ErrorCode::kInvalidInput, "{}: {}: {}", where_, key, what);
  }

  Result<void> delimiter() {
    const auto text = get_text(document_, "delimiter", ",");
    constexpr std::string_view kForbidden = "\"\r\n.+-0123456789";
    if (text.size() != 1 || kForbidden.find(text[0]) != kForbidden.npos)
      return bad("delimiter", "one character such as ',' ';' or a tab is needed");
    map_.delimiter = text[0];
    return {};
  }

  std::vector<std::string> column_names() const {
    std::vector<std::string> names;
    for (const auto& [name, ignored] : document_["columns"].items()) names.push_back(name);
    return names;
  }

  /// Remembers who writes where; fails when somebody else does already.
  Result<void> claim(const MapTarget& target, const std::string& by) {
    if (target.kind == Kind::kIgnore) return {};
    const auto place = target.kind == Kind::kReading
                           ? fmt::format("{} {}", to_string(target.stream), target.column.name)
                           : target.text;
    const auto [owner, is_new] = owners_.emplace(place, by);
    if (is_new) return {};
    return bad("columns", fmt::format("'{}' and '{}' both give {}", owner->second, by, place));
  }

  Result<void> columns() {
    const auto names = column_names();
    const auto* units = get_member(document_, "units");
    if (units != nullptr)
      for (const auto& [name, ignored] : units->items())
        if (!document_["columns"].contains(name))
          return bad("units", fmt::format("'{}' is no column of the map{}", name,
                                          did_you_mean(name, names)));
    for (const auto& [name, text] : document_["columns"].items()) {
      const auto unit = units != nullptr ? get_text(*units, name.c_str()) : "";
      auto target = parse_map_target(text.get<std::string>(), unit);
      if (!target) return bad("columns", fmt::format("'{}': {}", name, target.error().message));
      if (const auto claimed = claim(*target, name); !claimed) return claimed;
      map_.columns.emplace(name, std::move(*target));
    }
    return {};
  }

  Result<void> scales() {
    const auto* scales = get_member(document_, "scale");
    if (scales == nullptr) return {};
    for (const auto& [name, points] : scales->items()) {
      if (!map_.columns.contains(name))
        return bad("scale", fmt::format("'{}' is no column of the map{}", name,
                                        did_you_mean(name, column_names())));
      const double reads_1 = points[0][0], is_1 = points[0][1];
      const double reads_2 = points[1][0], is_2 = points[1][1];
      if (reads_1 == reads_2 || is_1 == is_2)
        return bad("scale", fmt::format("'{}': two different readings and two different values are "
                                        "needed, like [[8322237, 0], [8341540, 50]]",
                                        name));
      map_.scales[name] = {reads_1, is_1, (is_2 - is_1) / (reads_2 - reads_1)};
    }
    return {};
  }

  Result<void> constants() {
    const auto* constants = get_member(document_, "constants");
    if (constants == nullptr) return {};
    for (const auto& [name, value] : constants->items()) {
      const auto text = value.get<std::string>();
      const auto space = std::min(text.find(' '), text.size());
      const auto number = text.substr(0, space);
      const auto unit = space < text.size() ? text.substr(space + 1) : "";
      if (!number.starts_with('{') && !parse_decimal(number))
        return bad("constants",
                   fmt::format("'{}': '{}' is not a number and a unit, like \"0 mm\"", name, text));
      auto target = parse_map_target(name, unit);
      if (!target) return bad("constants", fmt::format("'{}': {}", name, target.error().message));
      if (target->kind != Kind::kReading)
        return bad("constants", fmt::format("'{}' can't be the same in every row", name));
      if (const auto claimed = claim(*target, name); !claimed) return claimed;
      map_.constants.push_back({std::move(*target), number});
    }
    return {};
  }

  Result<void> rate() {
    map_.rate_hz = get_number(document_, "rate_hz");
    if (!map_.rate_hz) return {};
    if (map_.static_readings)
      return bad("rate_hz", "row_is 'press' has no time course; say row_is 'sample'");
    if (owners_.contains("t"))
      return bad("rate_hz",
                 fmt::format("'{}' gives the time already; leave one of them out", owners_["t"]));
    return {};
  }

  Result<void> events() {
    auto rules = parse_event_rules(document_, column_names());
    if (!rules) return fail(rules.error(), where_);
    map_.events = std::move(*rules);
    return {};
  }

  /// The short way to say where presses are; static readings without any are one press.
  Result<void> press_by() {
    const auto* press_by = get_member(document_, "press_by");
    if (press_by == nullptr && (!map_.static_readings || makes_presses())) return {};
    EventRule rule;
    rule.event = "press";
    rule.where_in_map = "press_by";
    if (press_by != nullptr && makes_presses())
      return bad("press_by", "an event of 'events' is a press too; say it once");
    if (press_by != nullptr && press_by->is_object()) {
      rule.find = EventRule::Find::kPresses;
      rule.threshold_N = (*press_by)["threshold_N"].get<double>();
    } else if (press_by != nullptr) {
      const auto names = column_names();
      for (const auto& column : *press_by) {
        const auto name = column.get<std::string>();
        if (!map_.columns.contains(name))
          return bad("press_by", fmt::format("'{}' is no column of the map{}", name,
                                             did_you_mean(name, names)));
        rule.by.push_back(name);
      }
    }
    map_.events.push_back(std::move(rule));
    return {};
  }

  bool makes_presses() const {
    return std::any_of(map_.events.begin(), map_.events.end(),
                       [](const EventRule& rule) { return rule.event == "press"; });
  }

  Result<void> check_detection(const EventRule& rule) const {
    const std::string key = rule.where_in_map;
    if (!rule.detects()) return {};
    if (map_.static_readings)
      return bad(key, rule.find == EventRule::Find::kPresses
                          ? "a threshold needs row_is 'sample'; name columns instead"
                          : "'find' needs row_is 'sample'; name rows or columns instead");
    if (rule.find == EventRule::Find::kCycles && rule.event != "press")
      return bad(key, "\"cycles\" finds presses; state \"event\": \"press\"");
    if (rule.find == EventRule::Find::kPresses && !owners_.contains("force Fz"))
      return bad(key, "a threshold needs a column mapped to 'force'");
    if (rule.find == EventRule::Find::kSlides && !owners_.contains("stage x") &&
        !owners_.contains("stage y"))
      return bad(key, "slides are found by the stage; map a column to 'x' or 'y'");
    return {};
  }

  /// What only the parts together can get wrong.
  Result<void> check() {
    const bool timed = owners_.contains("t") || map_.rate_hz;
    if (timed == map_.static_readings)
      return bad("columns", map_.static_readings
                                ? "row_is 'press' numbers the rows itself; map the time to 'aux "
                                  "NAME' or 'ignore'"
                                : "no column is mapped to 't', which row_is 'sample' needs; where "
                                  "rows came at an even rate, state it as rate_hz");
    if (map_.static_readings && owners_.contains("t_host"))
      return bad("columns", "row_is 'press' has no clock; map 't_host' to 'ignore'");
    for (const auto& rule : map_.events)
      if (const auto found = check_detection(rule); !found) return found;
    if (map_.states_loads() && owners_.contains("force Fz"))
      return bad("events", fmt::format("'{}' gives the force already; leave it or the loads out",
                                       owners_["force Fz"]));
    if (owners_.size() == (owners_.contains("t") ? 1U : 0U))
      return bad("columns", "no column is mapped to a reading");
    return {};
  }

  Result<void> session() {
    json session = document_.value("session", json::object());
    for (const char* key : {"format", "version", "sensor", "indenter", "imported"})
      if (session.contains(key))
        return bad("session",
                   fmt::format("'{}' can't be given here{}", key,
                               document_.contains(key) ? "; it is a key of the map" : ""));
    session["format"] = "tactelier/session";
    session["version"] = 1;
    session["sensor"] = document_["sensor"];
    if (const auto* indenter = get_member(document_, "indenter")) session["indenter"] = *indenter;
    const auto reference = get_text(document_, "depth_reference", "unknown");
    session["imported"] = {{"row_is", document_["row_is"]}, {"depth_reference", reference}};
    if (const auto* rest = get_member(document_, "rest"); rest != nullptr && rest->is_object())
      if (const auto* reads = get_member(*rest, "reads"))
        session["imported"]["rest_reads"] = *reads;
    if (reference == "contact" && !session.contains("surface")) session["surface"] = {{"z0_mm", 0}};
    const bool force = owners_.contains("force Fz") || map_.states_loads();
    if (force && !session.contains("force_sensor")) session["force_sensor"] = {{"press_axis", "z"}};
    map_.session = session.dump();
    return {};
  }

  const json& document_;
  std::string_view where_;
  TableMap map_;
  std::map<std::string, std::string> owners_;
};

}  // namespace

Decimal ColumnScale::of(const Decimal& reading) const {
  if (reading.mantissa == kMissing) return reading;
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(slope)))) - 3;
  const double value = is + (reading.value() - reads) * slope;
  return {std::llround(value * std::pow(10.0, -exponent)), exponent};
}

bool TableMap::states_loads() const {
  return std::any_of(events.begin(), events.end(),
                     [](const EventRule& rule) { return rule.event == "load"; });
}

Result<Decimal> constant_in(const TableMap::Constant& constant, const TableFile& table) {
  const auto text = fill_in(constant.number, table.words);
  if (!text)
    return fail(text.error(), fmt::format("{}: constants: '{}'", table.name, constant.target.text));
  const auto number = parse_decimal(*text);
  if (number) return *number;
  return fail(ErrorCode::kInvalidInput, "{}: constants: '{}': '{}' is not a number", table.name,
              constant.target.text, *text);
}

std::string session_of(const TableMap& map, std::string_view source) {
  auto session = json::parse(map.session);
  session["imported"]["file"] = source;
  return session.dump();
}

Result<TableMap> parse_table_map(std::string_view json_text, std::string_view where) {
  const auto document = parse_json(json_text, where);
  if (!document) return fail(document.error());
  if (const auto right = check_format(*document, "tactelier/map", 1, where); !right)
    return fail(right.error());
  if (const auto valid = check_schema(*document, "map", where); !valid) return fail(valid.error());
  return MapReader(*document, where).read();
}

}  // namespace tactelier
