#include "libcalib/import/event_maker.hpp"

#include <algorithm>
#include <cmath>

#include "libcalib/import/press_finder.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

/// Microseconds are enough for the times of events, and read better.
Decimal event_time(double t_s) { return decimal_from(std::round(t_s * 1e6) / 1e6); }

double event_mm(double length_m) { return std::round(length_m * 1e9) / 1e6; }

/// Six digits: what a row says of a load is no better.
double six_digits(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double scale = std::pow(10, 5 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

/// Order of events at one moment: what ends comes first, a hold inside its press.
int rank_of(std::string_view name) {
  if (name == "hold_end") return 0;
  if (name == "press_end") return 2;
  if (name.ends_with("_end")) return 1;
  if (name == "press_begin") return 3;
  return name == "hold_begin" ? 5 : 4;
}

struct Found {
  FoundEvent event;
  const EventRule* rule;
  json data;
  std::string where;  // "events[1] (hold) from table.csv:12"
};

class EventMaker {
 public:
  explicit EventMaker(const SessionMetadata& metadata) : metadata_(metadata) {}

  Result<void> take(const RuleFinding& finding) {
    for (std::size_t i = 0; i < finding.events.size(); ++i) {
      const auto& event = finding.events[i];
      const auto& data = (*finding.data)[static_cast<std::size_t>(event.event)];
      Found found{event, finding.rule, json::parse(data.json),
                  fmt::format("{} from {}", finding.rule->where_in_map, data.place)};
      if (finding.rule->detects())
        found.where = fmt::format("{} at {:.6g} s", finding.rule->where_in_map, event.begin_s);
      if (const auto picked = pick(found, i, finding.events.size()); !picked) return picked;
      found_.push_back(std::move(found));
    }
    return {};
  }

  Result<MadeEvents> make() {
    std::stable_sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) {
      return a.event.begin_s < b.event.begin_s;
    });
    for (auto& found : found_)
      if (found.rule->event == "press")
        if (const auto done = press(found); !done) return fail(done.error());
    for (auto& found : found_)
      if (found.rule->event != "press")
        if (const auto done = other(found); !done) return fail(done.error());
    std::stable_sort(made_.events.begin(), made_.events.end(), [](const Event& a, const Event& b) {
      const double ta = a.t_s.value(), tb = b.t_s.value();
      return ta != tb ? ta < tb : rank_of(a.name) < rank_of(b.name);
    });
    made_.presses = static_cast<int>(presses_.size());
    if (made_.load_unit.empty()) made_.loads.clear();
    return std::move(made_);
  }

 private:
  /// A list gives each event its own value.
  static Result<void> pick(Found& found, std::size_t i, std::size_t count) {
    for (auto& [key, value] : found.data.items()) {
      if (!value.is_array()) continue;
      if (value.size() != count)
        return fail(ErrorCode::kInvalidInput,
                    "{}: data.{}: {} values for {} events; give one for each, in order of time",
                    found.rule->where_in_map, key, value.size(), count);
      auto own = value[i];
      value = std::move(own);
    }
    return {};
  }

  Result<void> add(double t_s, std::string_view name, const json& data, std::string_view where) {
    auto event = make_event(event_time(t_s), name, data.dump(), where);
    if (!event) return fail(event.error());
    made_.events.push_back(std::move(*event));
    return {};
  }

  Result<void> span(const Found& found, const std::string& name, const json& begin,
                    const json& end) {
    const auto added = add(found.event.begin_s, name + "_begin", begin, found.where);
    return added ? add(found.event.end_s, name + "_end", end, found.where) : added;
  }

  void place(const FoundEvent& event, json& data) const {
    if (!data.contains("x_mm") && !std::isnan(event.x_m) && !std::isnan(event.y_m)) {
      const auto pose = metadata_.stage_to_sensor.value_or(StageToSensor{});
      const double x_m = pose.mirror ? -event.x_m : event.x_m;
      const double c = std::cos(pose.rz_rad);
      const double s = std::sin(pose.rz_rad);
      data["x_mm"] = event_mm(c * x_m - s * event.y_m + pose.x_m);
      data["y_mm"] = event_mm(s * x_m + c * event.y_m + pose.y_m);
    }
    if (data.contains("tactel")) return;
    if (data.value("x_mm", json()).is_number() && data.value("y_mm", json()).is_number()) {
      const auto tactel = tactel_at(metadata_.sensor, mm_to_m(data["x_mm"].get<double>()),
                                    mm_to_m(data["y_mm"].get<double>()));
      if (tactel) data["tactel"] = *tactel;
    } else if (metadata_.sensor.tactels() == 1) {
      data["tactel"] = 0;
    }
  }

  /// Most of the press is a held depth: it shows how the force relaxes.
  bool held_in(const FoundEvent& press) const {
    double held_s = 0;
    for (const auto& found : found_) {
      if (found.rule->event != "hold" || !holds_a_depth(found)) continue;
      const double begin_s = std::max(found.event.begin_s, press.begin_s);
      const double end_s = std::min(found.event.end_s, press.end_s);
      held_s += std::max(0.0, end_s - begin_s);
    }
    return 2 * held_s > press.end_s - press.begin_s;
  }

  static bool holds_a_depth(const Found& found) {
    return found.data.contains("depth_mm") ||
           (!found.data.contains("force_N") && std::isnan(found.event.mean_force_N));
  }

  Result<void> press(Found& found) {
    if (!presses_.empty() && found.event.begin_s < presses_.back()->event.end_s)
      return fail(ErrorCode::kInvalidInput,
                  "{}: the press from {:.6g} to {:.6g} s overlaps the one before, which ends at "
                  "{:.6g} s ({})",
                  found.where, found.event.begin_s, found.event.end_s, presses_.back()->event.end_s,
                  presses_.back()->where);
    presses_.push_back(&found);
    const auto number = presses_.size();
    json end{{"press", number}, {"outcome", found.data.value("outcome", "ok")}};
    found.data.erase("outcome");
    found.data["press"] = number;
    const bool at_rest = metadata_.imported && metadata_.imported->static_readings;
    if (!found.data.contains("kind"))
      found.data["kind"] = at_rest ? "staircase" : held_in(found.event) ? "hold" : "ramp";
    place(found.event, found.data);
    return span(found, "press", found.data, end);
  }

  /// The press that holds the middle of an event, from 1; 0: none.
  std::size_t press_around(const FoundEvent& event) const {
    const double middle_s = (event.begin_s + event.end_s) / 2;
    for (std::size_t i = 0; i < presses_.size(); ++i)
      if (middle_s >= presses_[i]->event.begin_s && middle_s <= presses_[i]->event.end_s)
        return i + 1;
    return 0;
  }

  Result<void> hold(Found& found) {
    const auto number = press_around(found.event);
    if (number == 0 && found.rule->detects()) {
      made_.warnings.push_back(
          {"hold-in-no-press",
           fmt::format("the load stands still from {:.6g} to {:.6g} s, which is in no press; no "
                       "hold was made of it",
                       found.event.begin_s, found.event.end_s),
           found.rule->where_in_map});
      return {};
    }
    if (number == 0)
      return fail(ErrorCode::kInvalidInput,
                  "{}: the hold from {:.6g} to {:.6g} s lies in no press; add a press to 'events', "
                  "{{\"event\": \"press\"}} makes the whole table one",
                  found.where, found.event.begin_s, found.event.end_s);
    const auto& press = presses_[number - 1]->event;
    found.event.begin_s = std::max(found.event.begin_s, press.begin_s);
    found.event.end_s = std::min(found.event.end_s, press.end_s);
    found.data["press"] = number;
    if (!found.data.contains("force_N") && !found.data.contains("depth_mm")) {
      const bool by_force = !std::isnan(found.event.mean_force_N);
      if (!by_force && std::isnan(found.event.mean_z_m))
        return fail(ErrorCode::kInvalidInput,
                    "{}: neither force nor depth is in the table; say in data what was held, "
                    "force_N or depth_mm",
                    found.where);
      found.data[by_force ? "force_N" : "depth_mm"] =
          by_force ? six_digits(found.event.mean_force_N)
                   : six_digits(-m_to_mm(found.event.mean_z_m));
    }
    return span(found, "hold", found.data, found.data);
  }

  Result<void> slide(Found& found) {
    found.data["slide"] = ++slides_;
    if (found.rule->event == "oscillation") found.data["profile"] = "sine";
    if (!found.data.contains("profile"))
      for (const auto& [key, speed] : {std::pair{"vx_mm_s", found.event.vx_m_per_s},
                                       std::pair{"vy_mm_s", found.event.vy_m_per_s}})
        if (!found.data.contains(key) && !std::isnan(speed))
          found.data[key] = six_digits(m_to_mm(speed));
    return span(found, "slide", found.data, json{{"slide", slides_}});
  }

  Result<void> load(const Found& found) {
    const bool mass = found.data.contains("mass_g");
    const json value = found.data.value(mass ? "mass_g" : "force_N", json());
    if (found.data.size() != 1 || !value.is_number() || value.get<double>() < 0)
      return fail(ErrorCode::kInvalidInput,
                  "{}: data of a load is \"mass_g\" or \"force_N\", a number from 0 on",
                  found.where);
    const std::string unit = mass ? "gf" : "N";
    if (!made_.load_unit.empty() && made_.load_unit != unit)
      return fail(ErrorCode::kInvalidInput, "{}: say all loads as mass_g or all as force_N",
                  found.where);
    made_.load_unit = unit;
    made_.loads.push_back(
        {found.event.begin_s, found.event.end_s, decimal_from(value.get<double>())});
    if (value.get<double>() > 0) return {};
    return span(found, "zero", json::object(), json::object());
  }

  Result<void> other(Found& found) {
    const auto& event = found.rule->event;
    if (event == "load") return load(found);
    if (event == "hold") return hold(found);
    if (event == "slide" || event == "oscillation") return slide(found);
    const bool unloaded = event == "weight" && found.data.value("mass_g", json()) == 0;
    if (event == "zero") made_.loads.push_back({found.event.begin_s, found.event.end_s, {0, 0}});
    if (event == "zero" || unloaded) return span(found, "zero", json::object(), json::object());
    if (event == "weight" || event == "note")
      return add(found.event.begin_s, event, found.data, found.where);
    if (event == "image") {
      found.data["image"] = ++images_;
      return span(found, "image", found.data, json{{"image", images_}});
    }
    return span(found, event, found.data, event == "reference" ? found.data : json::object());
  }

  const SessionMetadata& metadata_;
  std::vector<Found> found_;
  std::vector<const Found*> presses_;
  int slides_ = 0;
  int images_ = 0;
  MadeEvents made_;
};

}  // namespace

Result<MadeEvents> make_events(std::span<const RuleFinding> findings,
                               const SessionMetadata& metadata) {
  EventMaker maker(metadata);
  for (const auto& finding : findings)
    if (const auto taken = maker.take(finding); !taken) return fail(taken.error());
  return maker.make();
}

}  // namespace tactelier
