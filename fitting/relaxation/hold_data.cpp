#include "fitting/relaxation/hold_data.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fitting/contact/contact.hpp"
#include "fitting/recording/computed_travel.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/relaxation/hold_trace.hpp"
#include "fitting/relaxation/rubber_memory.hpp"

namespace tactelier {
namespace {

constexpr double kShortestHold_s = 0.5;
constexpr double kRemembered = 2;  // of a hold's length: four of the slowest time it can show
constexpr double kStill = 1e-3;    // of the way in: a stage that has not moved

/// Rows of a table are often spaced by the logarithm of time: their mean rate says nothing of a
/// ramp.
double rows_between(std::span<const double> time_s, double begin_s, double end_s) {
  return static_cast<double>(std::count_if(time_s.begin(), time_s.end(),
                                           [&](double t) { return t >= begin_s && t <= end_s; }));
}

/// How deep the stage stands before it moves in, above 0 where the contact point was put too high:
/// force that still lies within its noise is no contact, however long it stood there.
double stands_in_air_m(const PressData& data, std::span<const double> depth_m,
                       const PressContact& contact) {
  const double still_m = kStill * (depth_m[data.peak] - depth_m[0]);
  double force_N = 0;
  std::size_t rows = 0;
  for (; rows < data.peak && std::abs(depth_m[rows] - depth_m[0]) < still_m; ++rows)
    force_N += data.force_N[rows] - contact.force_bias_N;
  const auto n = static_cast<double>(rows);
  const bool air = rows > 1 && std::abs(force_N) < 3 * contact.sigma_force_N * std::sqrt(n);
  return air ? std::max(0.0,
                        std::accumulate(depth_m.begin(),
                                        depth_m.begin() + static_cast<std::ptrdiff_t>(rows), 0.0) /
                            n)
             : 0;
}

/// How the ramp is known; a computed one is put into `data`.
Result<Ramp> find_ramp(const FitContext& context, std::size_t s, std::size_t p,
                       const CommandedPath& path, const std::optional<Lateness>& known,
                       double contact_s, PressData& data) {
  const auto& session = context.sessions[s];
  const Hold& hold = session.presses[p].holds.front();
  const auto* stage = session.session->stream(StreamKind::kStage);
  const double rate_hz = stage ? stage->rate_hz().value_or(0) : 0;
  const double ramp_rows = session.session->metadata().imported
                               ? rows_between(data.time_s, contact_s, hold.begin_s)
                               : (hold.begin_s - contact_s) * rate_hz;
  if (ramp_rows >= kRampSamples) return Ramp{Ramp::kSampled};
  if (hold.force_N) return Ramp{};
  const auto computed =
      compute_loading(context, s, p, path, {hold.begin_s, hold.end_s}, data, known);
  if (!computed) return fail(computed.error());
  return *computed ? Ramp{Ramp::kComputed, (*computed)->late, (*computed)->rest_begin_s} : Ramp{};
}

Result<HoldPress> load_hold(const FitContext& context, std::size_t s, std::size_t p,
                            const CommandedPath& path, const std::optional<Lateness>& known) {
  const auto& session = context.sessions[s];
  const Press& press = session.presses[p];
  HoldPress result;
  result.session = s;
  result.press = press.number;
  result.where =
      fmt::format("{} press {}", session.session->file().filename().string(), press.number);
  result.tactel = press.tactel;
  result.mount = session.session->metadata().mount;
  result.at_force = press.holds.front().force_N.has_value();
  const auto* contact = find_contact(context, s, p);
  if (!contact || !contact->ok) {
    result.refusal = contact && !contact->reason.empty() ? contact->reason : "RC-01 no contact";
    return result;
  }
  auto data = load_press(context, s, p, {}, PressBase::kForce);
  if (!data && data.error().code != ErrorCode::kUnidentifiable) return fail(data.error());
  if (!data || !data->has_force() || !data->has_travel()) {
    result.refusal = !data ? data.error().message
                           : "NO-SAMPLES relaxation needs force and stage travel of a hold";
    return result;
  }
  const auto ramp = find_ramp(context, s, p, path, known, contact->time_s, *data);
  if (!ramp) return fail(ramp.error());
  const Hold hold = begun_after(*ramp, press.holds.front());
  const StageLines lines{path, known ? known->near_s(ramp->late.value_s) : ramp->late.value_s};
  const double back_s = kRemembered * (hold.end_s - hold.begin_s);
  if (auto added = add_history(context, s, p, result.trace, back_s,
                               ramp->kind == Ramp::kComputed ? &lines : nullptr);
      !added)
    return fail(added.error());
  auto rested = at_rest(context, s, p, *contact);
  auto depth = depth_m(context, rested, *data);
  const double above_m = stands_in_air_m(*data, depth, rested);
  for (double& d : depth) d -= above_m;
  for (std::size_t i = data->peak; i-- > 0;)
    if (depth[i] <= 0) {
      rested.time_s = data->time_s[i];
      break;
    }
  result.ramp_s = std::max(0.0, hold.begin_s - rested.time_s);
  result.shows_s = hold.end_s - hold.begin_s;
  fill_trace(*data, hold, rested, depth, *ramp, result);
  return result;
}

/// A table's ramp that rests at a force shows how the depth creeps there.
bool rests_at_force(const FitSession& session, const Press& press) {
  return press.kind == PressKind::kRamp && press.holds.front().force_N &&
         session.session->metadata().imported;
}

std::vector<std::size_t> held_presses(const FitSession& session) {
  std::vector<std::size_t> held;
  for (std::size_t p = 0; p < session.presses.size(); ++p) {
    const Press& press = session.presses[p];
    if (press.usable() && !press.holds.empty() &&
        (press.kind == PressKind::kHold || rests_at_force(session, press)) &&
        press.holds.front().end_s - press.holds.front().begin_s >= kShortestHold_s)
      held.push_back(p);
  }
  return held;
}

}  // namespace

Result<std::vector<HoldPress>> load_holds(const FitContext& context) {
  std::vector<HoldPress> holds;
  for (std::size_t s = 0; s < context.sessions.size(); ++s) {
    const auto held = held_presses(context.sessions[s]);
    if (held.empty()) continue;
    const auto path = commanded_path(*context.sessions[s].session);
    const auto known = lateness_on_plate(context, s, path);
    if (!known) return fail(known.error());
    for (const std::size_t p : held) {
      if (context.job.stopped()) return Job::cancelled();
      auto hold = load_hold(context, s, p, path, *known);
      if (!hold) return fail(hold.error());
      holds.push_back(std::move(*hold));
    }
  }
  return holds;
}

bool any_shows_relaxation(std::span<const HoldPress> holds) {
  return std::any_of(holds.begin(), holds.end(),
                     [](const HoldPress& hold) { return !hold.at_force && hold.refusal.empty(); });
}

}  // namespace tactelier
