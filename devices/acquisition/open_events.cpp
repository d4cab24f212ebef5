#include "devices/acquisition/open_events.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"

namespace tactelier::rig {
namespace {

using nlohmann::json;

/// The end of a press, slide or image names its number alone, that of a hold or a reference says
/// what its begin said.
PlannedEvent end_of(const PlannedEvent& begun, std::string_view outcome) {
  const auto pair = pair_of(begun.name);
  const auto before = json::parse(begun.data);
  auto data = json::object();
  if (pair == "hold" || pair == "reference") data = before;
  for (const auto* key : {"press", "slide", "image"})
    if (pair == key) data[key] = before[key];
  if (pair == "press") data["outcome"] = outcome;
  return {fmt::format("{}_end", pair), canonical(data), {}};
}

}  // namespace

std::string_view pair_of(std::string_view event) {
  for (const std::string_view ending : {"_begin", "_end"})
    if (event.ends_with(ending)) return event.substr(0, event.size() - ending.size());
  return {};
}

bool begins_pair(std::string_view event) { return event.ends_with("_begin"); }

void OpenEvents::see(std::string_view name, std::string_view data) {
  const auto pair = pair_of(name);
  if (pair.empty()) return;
  if (begins_pair(name)) {
    open_.push_back({std::string(name), std::string(data), {}});
    return;
  }
  const auto begun = std::find_if(open_.rbegin(), open_.rend(), [&](const PlannedEvent& open) {
    return pair_of(open.name) == pair;
  });
  if (begun != open_.rend()) open_.erase(std::next(begun).base());
}

bool OpenEvents::has(std::string_view pair) const {
  return std::any_of(open_.begin(), open_.end(),
                     [&](const PlannedEvent& open) { return pair_of(open.name) == pair; });
}

std::vector<PlannedEvent> OpenEvents::close(std::string_view outcome) {
  std::vector<PlannedEvent> ends;
  for (auto open = open_.rbegin(); open != open_.rend(); ++open)
    ends.push_back(end_of(*open, outcome));
  open_.clear();
  return ends;
}

}  // namespace tactelier::rig
