#include "fitting/psf/psf_selection.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "fitting/recording/press_indenter.hpp"
#include "fitting/recording/recording_order.hpp"

namespace tactelier {
namespace {

const Press& press_of(const FitContext& context, std::size_t row) {
  const auto& contact = context.contacts[row];
  return context.sessions[contact.session].presses[contact.press];
}

const SessionMetadata& metadata_of(const FitContext& context, std::size_t row) {
  return context.sessions[context.contacts[row].session].session->metadata();
}

/// Of pressing: by how it is asked for, as each has a speed of its own.
std::uint32_t way_of(PressKind kind) {
  return kind == PressKind::kRaster ? 1 : kind == PressKind::kStaircase ? 2 : 0;
}

}  // namespace

std::vector<PsfChosen> PsfSelection::presses(PsfProblem& problem) {
  std::vector<PsfChosen> chosen;
  for (const std::size_t row : rows_as_recorded()) {
    const bool preloaded = beside_weight(row);
    const bool usable = context_.model.presses[row].verdict != "unusable" && speaks(row);
    if (!usable && !preloaded) continue;
    PsfChosen one{row, {}, preloaded ? PsfRole::kPreloaded : PsfRole::kRows};
    if (const auto why = place(row, problem, one.press); !why.empty())
      note(row, "psf: " + why);
    else
      chosen.push_back(one);
  }
  const auto fast = [&](const PsfChosen& one) {
    return one.role == PsfRole::kRows && is_dynamic(press_of(context_, one.row).kind);
  };
  const bool any_slow = std::any_of(chosen.begin(), chosen.end(), [&](const PsfChosen& one) {
    return one.role == PsfRole::kRows && !fast(one);
  });
  for (auto& one : chosen) {
    if (!any_slow || !fast(one)) continue;
    one.role = PsfRole::kEarlier;
    note(one.row, "psf: slower presses are taken");
  }
  problem.frames = std::max<std::uint32_t>(1, registrations_.count());
  problem.ties = registrations_.ties();
  return chosen;
}

/// When its tip touched must be known, or its rows be readings at rest: places, forces and
/// readings are enough for the spread, without any travel.
bool PsfSelection::speaks(std::size_t row) const {
  const auto& imported = metadata_of(context_, row).imported;
  const auto& contact = context_.contacts[row];
  return contact.ok || contact.tared || (imported && imported->static_readings);
}

bool PsfSelection::beside_weight(std::size_t row) const {
  const auto& press = press_of(context_, row);
  return press.outcome == "preloaded" && !press.excluded;
}

/// The first mounting is that of the first recording, in whatever order a window lists them.
std::vector<std::size_t> PsfSelection::rows_as_recorded() const {
  std::vector<std::size_t> rank(context_.sessions.size()), rows(context_.contacts.size());
  const auto order = recording_order(context_.sessions);
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return rank[context_.contacts[a].session] < rank[context_.contacts[b].session];
  });
  return rows;
}

void PsfSelection::note(std::size_t row, const std::string& why) {
  auto& text = context_.model.presses[row].why;
  text += (text.empty() ? "" : "; ") + why;
  if (first_.empty()) first_ = why;
}

std::string PsfSelection::place(std::size_t row, PsfProblem& problem, PsfPress& result) {
  const auto& press = press_of(context_, row);
  if (press.kind == PressKind::kArea) return "presses the whole array";
  if (press.x_m && press.y_m) {
    result.x_m = *press.x_m;
    result.y_m = *press.y_m;
  } else if (press.tactel) {
    const auto centre = context_.model.sensor.position_m(*press.tactel);
    result.x_m = centre[0];
    result.y_m = centre[1];
  } else {
    return "its place is not stated (x_mm, y_mm)";
  }
  const auto& indenter = indenter_of(context_.sessions[context_.contacts[row].session], press);
  if (!indenter) return "its indenter is not stated, so its footprint is unknown";
  const auto [found, is_new] = footprints_.try_emplace(
      indenter->describe(), static_cast<std::uint32_t>(problem.footprints.size()));
  if (is_new) {
    auto footprint = press_footprint(*indenter, problem.layout.pitch_m());
    if (!footprint) {
      footprints_.erase(found);
      return fmt::format("the contact of {} grows with depth, only flat ends are fitted",
                         indenter->describe());
    }
    problem.footprints.push_back(std::move(*footprint));
  }
  result.footprint = found->second;
  result.way = way_of(press.kind);
  const auto& session = context_.sessions[context_.contacts[row].session].session;
  result.frame = registrations_.at(*session, press.begin_s);
  return {};
}

}  // namespace tactelier
