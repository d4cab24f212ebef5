#include "app/workflow/batch/recorded_protocols.hpp"

#include <algorithm>

#include "fitting/engine/facts.hpp"
#include "fitting/engine/purpose.hpp"

namespace tactelier {
namespace {

bool has_event(const Session& session, std::string_view name) {
  return std::ranges::any_of(session.events(), [&](const Event& e) { return e.name == name; });
}

/// A slide back and forth shows what happens before slip; one at constant speed does not.
bool reverses(const Event& event) {
  return event.name == "slide_begin" && event.data.find("\"profile\"") != std::string::npos;
}

void add_slides(const Session& session, std::set<std::string>& protocols) {
  for (const auto& event : session.events())
    if (event.name == "slide_begin") protocols.insert(reverses(event) ? "P10" : "P9");
}

void add_press(const Press& press, std::set<std::string>& protocols) {
  if (has_slow_branches(press.kind)) protocols.insert({"P2", "P3"});
  if (press.kind == PressKind::kArea) protocols.insert("P4");
  if (press.kind == PressKind::kSpeed) protocols.insert("P5");
  if (press.kind == PressKind::kHold) protocols.insert("P6");
  if (press.kind == PressKind::kChirp) protocols.insert("P7");
  if (press.kind == PressKind::kRaster) protocols.insert("P8");
}

/// The protocol of the first number that the stage is run for and nothing was recorded of.
std::string first_protocol(const StageFacts& facts) {
  for (const auto& fact : facts.table.parameters)
    if (fact.purpose && !fact.protocol.empty()) return std::string(fact.protocol);
  return {};
}

bool has_recording(const StageFacts& facts, const std::set<std::string>& protocols) {
  return std::ranges::any_of(facts.table.parameters, [&](const ParameterFact& fact) {
    return fact.purpose && protocols.contains(std::string(fact.protocol));
  });
}

}  // namespace

Result<std::set<std::string>> recorded_protocols(const Session& session) {
  const auto all = presses(session.events(), session.edits(), session.metadata());
  if (!all) return fail(all.error());
  std::set<std::string> protocols;
  for (const auto& press : *all)
    if (press.usable()) add_press(press, protocols);
  add_slides(session, protocols);
  if (has_event(session, "zero_begin")) protocols.insert("P0");
  if (has_event(session, "plate_begin")) protocols.insert("P1");
  if (has_event(session, "weight")) protocols.insert("P4");
  if (has_event(session, "image_begin")) protocols.insert("P12");
  return protocols;
}

std::vector<StageProspect> stage_prospects(const std::set<std::string>& protocols,
                                           const SensorDescription& sensor) {
  std::vector<StageProspect> prospects;
  for (const auto* facts : stage_facts()) {
    if (facts->kind != StageFacts::Kind::kCalibrates || !is_expected(*facts, sensor)) continue;
    const bool recorded = has_recording(*facts, protocols);
    prospects.push_back({facts->id, recorded, recorded ? "" : first_protocol(*facts)});
  }
  return prospects;
}

}  // namespace tactelier
