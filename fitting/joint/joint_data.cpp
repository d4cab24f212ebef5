#include "fitting/joint/joint_data.hpp"

#include <algorithm>

#include "fitting/damping/path_estimate.hpp"
#include "fitting/relaxation/hold_data.hpp"
#include "fitting/relaxation/rubber_memory.hpp"

namespace tactelier {
namespace {

/// A few steps of a segment, within which the motion is straight. Even about its middle: half a
/// sample of delay in the branches would look like damping.
std::vector<std::size_t> few_of(const PathRows& segment) {
  const std::size_t steps = segment.end - segment.first, edge = steps / 6;
  std::vector<std::size_t> few;
  const auto keep = [&](std::size_t step) {
    const std::size_t at = segment.first + step;
    if (few.empty() || few.back() < at) few.push_back(at);
  };
  keep(edge);
  keep((steps - 1) / 2);
  keep(steps / 2);
  keep(steps - 1 - edge);
  return few;
}

/// A segment's steps thinned out, those between segments as they are.
JointTrace trace_of(RatePress press) {
  JointTrace trace{std::move(press.where), {press.path.begin_s, {}, {}}, std::move(press.rows), {}};
  const auto keep = [&](std::size_t i) {
    trace.path.time_s.push_back(press.path.time_s[i]);
    trace.path.depth_m.push_back(press.path.depth_m[i]);
  };
  std::size_t next = 0;
  for (const auto& segment : press.means) {
    for (; next < segment.first; ++next) keep(next);
    const std::size_t first = trace.path.time_s.size();
    for (const std::size_t i : few_of(segment)) keep(i);
    trace.means.push_back({first, trace.path.time_s.size()});
    next = segment.end;
  }
  for (; next < press.path.time_s.size(); ++next) keep(next);
  return trace;
}

JointTrace trace_of(const HoldPress& hold) {
  const auto& from = hold.trace;
  JointTrace trace{hold.where, {from.begin_s, from.time_s, from.depth_m}, {}, {}};
  for (std::size_t i = 0; i < from.time_s.size(); ++i) {
    if (!(from.sigma_N[i] > 0)) continue;
    RateRow row;
    row.depth_m = from.depth_m[i];
    row.force_N = from.force_N[i];
    row.sigma_N = from.sigma_N[i];
    trace.rows.push_back(row);
    trace.means.push_back({i, i + 1});
  }
  return trace;
}

/// Index of the press with most others at its place.
std::size_t middle_of(const FitContext& context, const std::vector<RatePress>& presses) {
  std::size_t best = 0, most = 0;
  for (std::size_t i = 0; i < presses.size(); ++i) {
    std::size_t near = 0;
    for (const auto& other : presses)
      near += other.session == presses[i].session &&
                      same_place(context.sessions[other.session].presses[other.press],
                                 context.sessions[presses[i].session].presses[presses[i].press])
                  ? 1
                  : 0;
    if (near <= most) continue;
    best = i;
    most = near;
  }
  return best;
}

}  // namespace

Result<JointPresses> load_joint(const FitContext& context) {
  auto rates = load_rates(context);
  if (!rates) return fail(rates.error());
  std::erase_if(rates->presses, [](const RatePress& press) { return !press.refusal.empty(); });
  JointPresses found;
  if (rates->presses.empty() || sampled_seldom(*rates)) return found;
  const auto& chosen = rates->presses[middle_of(context, rates->presses)];
  const std::size_t session = chosen.session;
  const Press& place = context.sessions[session].presses[chosen.press];
  found.where = context.sessions[session].session->file().filename().string();
  if (place.tactel) found.where += fmt::format(", tactel {}", *place.tactel);
  for (auto& press : rates->presses)
    if (press.session == session &&
        same_place(context.sessions[session].presses[press.press], place)) {
      found.traces.push_back(trace_of(std::move(press)));
      ++found.rates;
    }
  const auto holds = load_holds(context);
  if (!holds) return fail(holds.error());
  for (const auto& hold : *holds) {
    if (hold.at_force || !hold.refusal.empty() || hold.session != session) continue;
    const auto& presses = context.sessions[session].presses;
    const auto own = std::find_if(presses.begin(), presses.end(),
                                  [&](const Press& press) { return press.number == hold.press; });
    if (own == presses.end() || !same_place(*own, place)) continue;
    found.traces.push_back(trace_of(hold));
    ++found.holds;
  }
  return found;
}

}  // namespace tactelier
