#include "fitting/relaxation/dwell_data.hpp"

#include <algorithm>

#include "fitting/contact/contact.hpp"
#include "fitting/recording/computed_travel.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/relaxation/hold_trace.hpp"
#include "fitting/relaxation/rubber_memory.hpp"

namespace tactelier {
namespace {

constexpr double kShortestDwell_s = 0.5;

bool rests_at_depths(const Press& press) {
  return press.usable() && press.kind == PressKind::kStaircase && press.holds.size() > 1 &&
         std::all_of(press.holds.begin(), press.holds.end(), [](const Hold& hold) {
           return !hold.force_N && hold.end_s - hold.begin_s >= kShortestDwell_s;
         });
}

/// How each step is known, empty where one isn't; computed ones are put into `data`.
Result<std::vector<Ramp>> find_steps(const FitContext& context, std::size_t s, std::size_t p,
                                     const CommandedPath& path,
                                     const std::optional<Lateness>& known, PressData& data) {
  const auto& session = *context.sessions[s].session;
  const auto& holds = context.sessions[s].presses[p].holds;
  const auto* stage = session.stream(StreamKind::kStage);
  const double rate_hz = stage ? stage->rate_hz().value_or(0) : 0;
  double shortest_s = holds[1].begin_s - holds[0].end_s;
  for (std::size_t h = 2; h < holds.size(); ++h)
    shortest_s = std::min(shortest_s, holds[h].begin_s - holds[h - 1].end_s);
  if (shortest_s * rate_hz >= kRampSamples)
    return std::vector<Ramp>(holds.size(), {Ramp::kSampled});
  std::vector<Ramp> steps;
  // Each computed line fills all rows before it too: the last first.
  for (auto hold = holds.rbegin(); hold != holds.rend(); ++hold) {
    const auto computed =
        compute_loading(context, s, p, path, {hold->begin_s, hold->end_s}, data, known);
    if (!computed) return fail(computed.error());
    if (!*computed) return std::vector<Ramp>{};
    steps.insert(steps.begin(), {Ramp::kComputed, (*computed)->late, (*computed)->rest_begin_s});
  }
  return steps;
}

Result<void> add_dwells(const FitContext& context, std::size_t s, std::size_t p,
                        const CommandedPath& path, const std::optional<Lateness>& known,
                        std::vector<HoldPress>& dwells) {
  const auto& session = context.sessions[s];
  const Press& press = session.presses[p];
  const auto* contact = find_contact(context, s, p);
  if (!contact || !contact->ok) return {};
  auto data = load_press(context, s, p, {}, PressBase::kForce);
  if (!data && data.error().code != ErrorCode::kUnidentifiable) return fail(data.error());
  if (!data || !data->has_force() || !data->has_travel()) return {};
  const auto steps = find_steps(context, s, p, path, known, *data);
  if (!steps) return fail(steps.error());
  if (steps->empty()) return {};
  const auto rested = at_rest(context, s, p, *contact);
  const double shows_s = press.holds.back().end_s - rested.time_s;
  HoldPress common;
  common.session = s;
  common.press = press.number;
  common.where =
      fmt::format("{} press {}", session.session->file().filename().string(), press.number);
  common.tactel = press.tactel;
  common.mount = session.session->metadata().mount;
  common.shows_s = shows_s;
  if (auto added = add_history(context, s, p, common.trace, shows_s); !added)
    return fail(added.error());
  const auto depth = depth_m(context, rested, *data);
  double left_s = rested.time_s;
  for (std::size_t h = 0; h < press.holds.size(); ++h) {
    const Hold hold = begun_after((*steps)[h], press.holds[h]);
    HoldPress dwell = common;
    dwell.ramp_s = std::max(0.0, hold.begin_s - left_s);
    left_s = hold.end_s;
    fill_trace(*data, hold, rested, depth, (*steps)[h], dwell);
    dwells.push_back(std::move(dwell));
  }
  return {};
}

}  // namespace

Result<std::vector<HoldPress>> load_dwells(const FitContext& context) {
  std::vector<HoldPress> dwells;
  for (std::size_t s = 0; s < context.sessions.size(); ++s) {
    const auto& presses = context.sessions[s].presses;
    if (std::none_of(presses.begin(), presses.end(), rests_at_depths)) continue;
    const auto path = commanded_path(*context.sessions[s].session);
    const auto known = lateness_on_plate(context, s, path);
    if (!known) return fail(known.error());
    for (std::size_t p = 0; p < presses.size(); ++p) {
      if (context.job.stopped()) return Job::cancelled();
      if (!rests_at_depths(presses[p])) continue;
      if (auto added = add_dwells(context, s, p, path, *known, dwells); !added)
        return fail(added.error());
    }
  }
  return dwells;
}

}  // namespace tactelier
