#include "libcalib/session/events.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>

#include "libcalib/json_check.hpp"
#include "libcalib/resources.hpp"
#include "libcalib/session/event_order.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/session/metadata.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

/// The names that the schema knows, sorted.
const std::vector<std::string>& event_names() {
  static const auto names = [] {
    std::vector<std::string> found;
    const auto schema = parse_json(resource("schemas/event.schema.json").value_or(""), "");
    if (schema)
      for (const auto& [name, ignored] : schema->at("properties").items()) found.push_back(name);
    return found;
  }();
  return names;
}

/// What the schema can't say in words that help.
Result<void> check_data(std::string_view name, const json& data, std::string_view where) {
  if (name == "hold_begin" && !data.contains("force_N") && !data.contains("depth_mm"))
    return fail(ErrorCode::kInvalidInput, "{}: hold_begin: 'force_N' or 'depth_mm' is missing",
                where);
  if (data.contains("indenter")) {
    const auto indenter =
        parse_indenter(data["indenter"].dump(), fmt::format("{}: {}.indenter", where, name));
    if (!indenter) return fail(indenter.error());
  }
  return {};
}

Error at_time(const Event& event, const Error& error) {
  return {error.code, fmt::format("events at {} s: {}", event.t_s.text(), error.message)};
}

}  // namespace

Result<Event> make_event(Decimal t_s, std::string_view name, std::string_view data_text,
                         std::string_view where) {
  if (t_s.mantissa == kMissing)
    return fail(ErrorCode::kInvalidInput, "{}: the event has no time", where);
  const auto& names = event_names();
  if (!std::binary_search(names.begin(), names.end(), name))
    return fail(ErrorCode::kInvalidInput, "{}: unknown event '{}'{}", where, name.substr(0, 40),
                did_you_mean(name, names));
  const auto data = parse_json(data_text.empty() ? "{}" : data_text, where);
  if (!data) return fail(data.error());
  if (!data->is_object())
    return fail(ErrorCode::kInvalidInput, "{}: data of '{}' must be a JSON object, found {}", where,
                name, data->type_name());
  json document;
  document[std::string(name)] = *data;
  if (const auto valid = check_schema(document, "event", where); !valid) return fail(valid.error());
  if (const auto sound = check_data(name, *data, where); !sound) return fail(sound.error());
  return Event{t_s, std::string(name), canonical(*data)};
}

std::string Edit::describe() const {
  switch (kind) {
    case Kind::kExclude:
      return fmt::format("exclude press {}", press);
    case Kind::kInclude:
      return fmt::format("include press {}", press);
    case Kind::kContact:
      if (std::isnan(contact_s)) return fmt::format("contact of press {} as found", press);
      return fmt::format("contact of press {} at {} s", press, contact_s);
    case Kind::kNote:
      break;
  }
  return fmt::format("note: {}", note);
}

Result<std::vector<Press>> presses(std::span<const Event> events, std::span<const Edit> edits,
                                   const SessionMetadata& metadata) {
  PressOrder order(metadata);
  for (const auto* event : in_time_order(events))
    if (const auto added = order.add(*event); !added) return fail(at_time(*event, added.error()));
  auto found = order.finish();
  std::unordered_map<int, Press*> by_number;
  for (auto& press : found) by_number[press.number] = &press;
  for (const auto& edit : edits) {
    const auto press = by_number.find(edit.press);
    if (edit.kind == Edit::Kind::kNote || press == by_number.end()) continue;
    if (edit.kind == Edit::Kind::kContact)
      press->second->contact_s =
          std::isnan(edit.contact_s) ? std::nullopt : std::optional(edit.contact_s);
    else
      press->second->excluded = edit.kind == Edit::Kind::kExclude;
  }
  return found;
}

Result<std::vector<Weight>> weights(std::span<const Event> events) {
  std::vector<Weight> found;
  for (const auto* event : in_time_order(events)) {
    if (event->name != "weight") continue;
    const auto data = parse_json(event->data, "weight");
    if (!data) return fail(at_time(*event, data.error()));
    Weight weight;
    weight.t_s = event->t_s.value();
    weight.mass_kg = g_to_kg(get_number(*data, "mass_g").value_or(0));
    weight.area_m2 = mm2_to_m2(get_number(*data, "area_mm2").value_or(0));
    if (const auto compression_mm = get_number(*data, "compression_mm"))
      weight.compression_m = mm_to_m(*compression_mm);
    weight.stated_pressure_Pa = get_number(*data, "pressure_Pa");
    found.push_back(weight);
  }
  return found;
}

std::string Conditioning::describe() const {
  const auto end = depth_m   ? fmt::format(" to {:.4g} mm", m_to_mm(*depth_m))
                   : force_N ? fmt::format(" to {:.4g} N", *force_N)
                             : std::string();
  return fmt::format("{} {} at {} {}{}, {:.4g} s of rest", cycles, cycles == 1 ? "cycle" : "cycles",
                     sites, sites == 1 ? "place" : "places", end, rest_s);
}

Result<std::vector<Conditioning>> conditionings(std::span<const Event> events) {
  std::vector<Conditioning> found;
  for (const auto* event : in_time_order(events)) {
    if (event->name != "conditioned") continue;
    const auto data = parse_json(event->data, "conditioned");
    if (!data) return fail(at_time(*event, data.error()));
    Conditioning one;
    one.t_s = event->t_s.value();
    one.cycles = get_int(*data, "cycles").value_or(0);
    one.sites = get_int(*data, "sites").value_or(0);
    if (const auto depth_mm = get_number(*data, "depth_mm")) one.depth_m = mm_to_m(*depth_mm);
    one.force_N = get_number(*data, "force_N");
    one.rest_s = get_number(*data, "rest_s").value_or(0);
    found.push_back(one);
  }
  return found;
}

Result<std::vector<Interval>> intervals(std::span<const Event> events, std::string_view name) {
  PairOrder order;
  for (const auto* event : in_time_order(events))
    if (event->name.starts_with(name))
      if (const auto added = order.add(*event); !added) return fail(at_time(*event, added.error()));
  return order.intervals(name);
}

}  // namespace tactelier
