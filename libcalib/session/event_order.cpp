#include "libcalib/session/event_order.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "libcalib/json_check.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

std::optional<double> in_metres(std::optional<double> length_mm) {
  return length_mm ? std::optional(mm_to_m(*length_mm)) : std::nullopt;
}

constexpr std::array<std::string_view, 8> kPaired{"zero",   "plate",     "shear", "ground",
                                                  "spring", "reference", "slide", "image"};

}  // namespace

Result<void> PressOrder::add(const Event& event) {
  last_s_ = event.t_s.value();
  if (event.name == "press_begin") return begin(event);
  if (event.name == "press_end") return end(event);
  if (event.name == "hold_begin") return hold(event, true);
  if (event.name == "hold_end") return hold(event, false);
  return {};
}

Result<void> PressOrder::begin(const Event& event) {
  const auto data = parse_json(event.data, event.name);
  if (!data) return fail(data.error());
  Press press;
  press.number = (*data)["press"].get<int>();
  if (press_open_)
    return fail(ErrorCode::kInvalidInput, "press {} begins while press {} is still open",
                press.number, presses_.back().number);
  press.begin_s = last_s_;
  const auto [seen, is_new] = begun_.emplace(press.number, press.begin_s);
  if (!is_new)
    return fail(ErrorCode::kInvalidInput, "press {} is there twice; it also begins at {} s",
                press.number, seen->second);
  press.tactel = get_int(*data, "tactel");
  if (press.tactel && *press.tactel >= metadata_.sensor.tactels())
    return fail(ErrorCode::kInvalidInput,
                "press {} is on tactel {}, but the sensor has {} tactels, 0 to {}", press.number,
                *press.tactel, metadata_.sensor.tactels(), metadata_.sensor.tactels() - 1);
  press.x_m = in_metres(get_number(*data, "x_mm"));
  press.y_m = in_metres(get_number(*data, "y_mm"));
  press.kind = press_kind_from(get_text(*data, "kind")).value_or(PressKind::kRamp);
  press.site = get_int(*data, "site");
  press.indenter = metadata_.indenter;
  if (const auto* own = get_member(*data, "indenter")) {
    auto indenter = parse_indenter(own->dump(), "indenter");
    if (!indenter) return fail(indenter.error());
    press.indenter = std::move(*indenter);
  }
  press_open_ = true;
  presses_.push_back(std::move(press));
  return {};
}

Result<void> PressOrder::end(const Event& event) {
  const auto data = parse_json(event.data, event.name);
  if (!data) return fail(data.error());
  const int number = (*data)["press"].get<int>();
  if (!press_open_ || presses_.back().number != number)
    return fail(ErrorCode::kInvalidInput, "press {} ends but has not begun{}", number,
                press_open_ ? fmt::format("; press {} is open", presses_.back().number) : "");
  auto& press = presses_.back();
  press.end_s = last_s_;
  press.outcome = get_text(*data, "outcome", "ok");
  if (hold_open_) press.holds.back().end_s = last_s_;
  press_open_ = hold_open_ = false;
  return {};
}

Result<void> PressOrder::hold(const Event& event, bool begins) {
  const auto data = parse_json(event.data, event.name);
  if (!data) return fail(data.error());
  const int number = (*data)["press"].get<int>();
  if (!press_open_ || presses_.back().number != number)
    return fail(ErrorCode::kInvalidInput, "{} belongs to press {}, which is not open then",
                event.name, number);
  auto& holds = presses_.back().holds;
  if (begins == hold_open_)
    return fail(ErrorCode::kInvalidInput, "{} in press {}, but {}", event.name, number,
                begins ? "a hold is still open" : "no hold has begun");
  hold_open_ = begins;
  if (!begins) {
    holds.back().end_s = last_s_;
    return {};
  }
  holds.push_back(
      {last_s_, last_s_, get_number(*data, "force_N"), in_metres(get_number(*data, "depth_mm"))});
  return {};
}

std::optional<int> PressOrder::open_press() const {
  return press_open_ ? std::optional(presses_.back().number) : std::nullopt;
}

std::vector<Press> PressOrder::finish() {
  if (press_open_) {
    auto& press = presses_.back();
    press.end_s = last_s_;
    press.outcome = "aborted";
    if (hold_open_) press.holds.back().end_s = last_s_;
  }
  press_open_ = hold_open_ = false;
  return std::move(presses_);
}

Result<void> PairOrder::add(const Event& event) {
  const auto underscore = event.name.rfind('_');
  if (underscore == std::string::npos) return {};
  const auto name = event.name.substr(0, underscore);
  if (std::find(kPaired.begin(), kPaired.end(), name) == kPaired.end()) return {};
  auto& pairs = pairs_[name];
  const bool begins = event.name.substr(underscore) == "_begin";
  if (begins == pairs.open_s.has_value())
    return fail(ErrorCode::kInvalidInput, "{}, but {}", event.name,
                begins ? fmt::format("the one before, from {} s, has not ended", *pairs.open_s)
                       : fmt::format("there was no {}_begin before it", name));
  const double t_s = event.t_s.value();
  if (begins) {
    pairs.open_s = t_s;
  } else {
    pairs.closed.push_back({*pairs.open_s, t_s});
    pairs.open_s.reset();
  }
  return {};
}

std::vector<Interval> PairOrder::intervals(std::string_view name) const {
  const auto found = pairs_.find(name);
  return found == pairs_.end() ? std::vector<Interval>{} : found->second.closed;
}

std::vector<const Event*> in_time_order(std::span<const Event> events) {
  std::vector<const Event*> ordered;
  ordered.reserve(events.size());
  for (const auto& event : events) ordered.push_back(&event);
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const Event* a, const Event* b) { return a->t_s.value() < b->t_s.value(); });
  return ordered;
}

}  // namespace tactelier
