#include "fitting/recording/press_indenter.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace tactelier {
namespace {

struct Seen {
  IndenterUse use;
  std::set<int> tactels;
};

/// In the order of sessions and presses, like FitContext::contacts.
std::set<const Press*> refused_presses(const FitContext& context) {
  std::set<const Press*> refused;
  for (std::size_t row = 0; row < context.contacts.size(); ++row) {
    const auto& contact = context.contacts[row];
    if (row < context.model.presses.size() && context.model.presses[row].verdict == "unusable")
      refused.insert(&context.sessions[contact.session].presses[contact.press]);
  }
  return refused;
}

bool has_readings(const FitSession& session) {
  return session.session->stream(StreamKind::kTactile) != nullptr;
}

}  // namespace

const std::optional<Indenter>& indenter_of(const FitSession& session, const Press& press) {
  return press.indenter ? press.indenter : session.session->metadata().indenter;
}

std::string indenter_name(const FitSession& session, const Press& press) {
  const auto& indenter = indenter_of(session, press);
  return indenter ? indenter->describe() : std::string();
}

std::string IndenterUse::describe() const {
  return fmt::format("{} ({} tactel{}, {} press{})", name.empty() ? "one not stated" : name,
                     tactels, tactels == 1 ? "" : "s", presses, presses == 1 ? "" : "es");
}

std::vector<IndenterUse> indenters_used(
    const FitContext& context,
    const std::function<bool(const FitSession& session, const Press& press)>& counts) {
  std::map<std::string, Seen> seen;
  for (const auto& session : context.sessions)
    for (const auto& press : session.presses) {
      if (!counts(session, press)) continue;
      auto& entry = seen[indenter_name(session, press)];
      entry.use.indenter = indenter_of(session, press);
      ++entry.use.presses;
      if (press.tactel) entry.tactels.insert(*press.tactel);
    }
  std::vector<IndenterUse> uses;
  for (auto& [name, entry] : seen) {
    entry.use.name = name;
    entry.use.tactels = entry.tactels.size();
    uses.push_back(std::move(entry.use));
  }
  std::sort(uses.begin(), uses.end(), [](const IndenterUse& a, const IndenterUse& b) {
    return std::tuple(b.tactels, b.presses, a.name.empty(), a.name) <
           std::tuple(a.tactels, a.presses, b.name.empty(), b.name);
  });
  return uses;
}

bool is_slow(const Press& press) {
  return !is_dynamic(press.kind) && press.kind != PressKind::kArea;
}

std::vector<IndenterUse> calibration_candidates(const FitContext& context) {
  const auto refused = refused_presses(context);
  const auto good = [&](const Press& press) { return press.usable() && !refused.contains(&press); };
  using Rule = std::function<bool(const FitSession&, const Press&)>;
  const std::array<Rule, 4> rules{
      [&](const FitSession& session, const Press& press) {
        return good(press) && has_readings(session) && press.tactel && is_slow(press);
      },
      [&](const FitSession& session, const Press& press) {
        return good(press) && has_readings(session) && press.tactel &&
               press.kind != PressKind::kArea;
      },
      [&](const FitSession&, const Press& press) {
        return good(press) && press.tactel && is_slow(press);
      },
      [&](const FitSession&, const Press& press) { return press.usable() && is_slow(press); }};
  for (const auto& rule : rules)
    if (auto found = indenters_used(context, rule); !found.empty()) return found;
  return {};
}

std::string calibration_indenter(const FitContext& context) {
  const auto& known = context.model.response.calibration_indenter;
  if (!known.empty()) return known;
  const auto candidates = calibration_candidates(context);
  return candidates.empty() ? std::string() : candidates.front().name;
}

}  // namespace tactelier
