#include "fitting/time/time.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fitting/statistics/refusal.hpp"
#include "fitting/time/shared_latency.hpp"
#include "fitting/time/stage_latency.hpp"
#include "fitting/time/stream_clocks.hpp"
#include "fitting/time/tactile_latency.hpp"
#include "libcalib/reason.hpp"

namespace tactelier {
namespace {

constexpr double kStageLimit_s = 5e-3;  // 95 %: a stage latency known no better is not taken out

std::string where_of(const FitContext& context, std::size_t session) {
  return context.sessions[session].session->file().filename().string();
}

void report_clock(const StreamSurvey& survey, const std::string& refusal, SensorModel& model) {
  auto& clock = model.clock[std::string(to_string(survey.kind))];
  if (!survey.clock) {
    clock.offset = unidentifiable("s", refusal, "time");
    clock.skew = unidentifiable("", refusal, "time");
    clock.residual = unidentifiable("s", refusal, "time");
    return;
  }
  clock.offset = identified(survey.clock->offset_s, "s", "time");
  clock.skew = identified(survey.clock->skew, "", "time");
  clock.residual = identified({survey.clock->residual_s, 0, 0}, "s", "time");
}

void report_survey(FitContext& context, std::size_t session, const ClockSurvey& survey,
                   StageQuality& quality) {
  const auto& metadata = context.sessions[session].session->metadata();
  quality.warnings.insert(quality.warnings.end(), survey.warnings.begin(), survey.warnings.end());
  for (const auto& stream : survey.streams) {
    const auto name = std::string(to_string(stream.kind));
    quality.samples_used += static_cast<int>(stream.clock ? stream.clock->points : 0);
    if (stream.missing > 0)
      quality.figures[name + "_missing"] += static_cast<double>(stream.missing);
    if (stream.wraps > 0)
      quality.figures[name + "_counter_wraps"] += static_cast<double>(stream.wraps);
    const auto& refusal = survey.clocks.of(stream.kind).refusal;
    if (!refusal.empty())
      quality.warnings.push_back(warning_of(refusal, where_of(context, session)));
    if (stream.clock && stream.clock->windows > 1) {
      auto& wander = quality.figures[name + "_skew_wander_ppm"];
      wander = std::max(wander, 1e6 * stream.clock->wander);
    }
    if (session == 0 && metadata.clock(stream.kind) == Clock::kOwn)
      report_clock(stream, refusal, context.model);
  }
}

double frame_s(const ClockSurvey& survey) {
  for (const auto& stream : survey.streams)
    if (stream.kind == StreamKind::kTactile) return stream.period_s;
  return 0;
}

/// A row-scanned array reads its last row up to a frame after its first; nobody says which.
std::vector<Component> row_scan(const SensorDescription& sensor, double frame_s) {
  const bool rows = std::any_of(sensor.arrays.begin(), sensor.arrays.end(),
                                [](const SensorArray& array) { return array.rows > 1; });
  if (!rows) return {};
  return {{"row scan", u_resolution(frame_s)}};
}

Parameter judge_latency(const LatencyOverRates& over, double frame_s,
                        const SensorDescription& sensor, const std::string& where,
                        Warnings& warnings) {
  const Estimate estimate{over.latency_s, over.u_latency_s, over.dof};
  const double expanded = coverage_95(over.dof) * over.u_latency_s;
  if (expanded > frame_s)
    return unidentifiable(
        "s",
        fmt::format("ID-02 latency = {}: interval wider than a frame. Add ramps at higher speeds "
                    "(protocol P5)",
                    with_uncertainty(over.latency_s, expanded, "s")),
        "time");
  const auto apparent = [&](double rate) {
    return 1e3 * (over.latency_s + over.hysteresis_N / rate);
  };
  const double slow_ms = apparent(over.slowest), fast_ms = apparent(over.fastest);
  if (over.hysteresis_N > 2 * over.u_hysteresis_N && slow_ms - fast_ms > 1)
    warnings.push_back({"TA-06",
                        fmt::format("Apparent delay falls from {:.1f} to {:.1f} ms with speed: "
                                    "hysteresis of {:.3g} N, not latency.",
                                    slow_ms, fast_ms, over.hysteresis_N),
                        where});
  return identified(estimate, "s", "time", row_scan(sensor, frame_s));
}

/// What one session alone says of its latencies.
struct SessionTimes {
  double frame_s = 0;
  bool placed = false;  // a clock that presses alone placed: its latency is in that
  SessionLatency tactile;
  std::optional<Estimate> tactile_s, stage_s;  // known well enough to be taken out
  Parameter parameter;                         // of the tactile latency, or why there is none
};

/// Centres of load are late by hysteresis. Where they alone placed a clock, the rising edges of the
/// presses place it better.
Result<void> settle_placed(FitContext& context, std::size_t session, const ClockSurvey& survey) {
  for (const auto& stream : survey.streams) {
    const bool tactile = stream.kind == StreamKind::kTactile;
    if (!stream.by_presses || stream.kind == StreamKind::kStage) continue;
    const auto lag = find_tactile_latency(context, session);
    if (!lag) return fail(lag.error());
    if (!lag->apparent_s) return {};
    auto& time = context.clocks[session].of(stream.kind);
    time.map = time.map.advanced(tactile ? *lag->apparent_s : -*lag->apparent_s);
    return {};
  }
  return {};
}

/// Looked for on the clocks as they are, before anything is taken out.
Result<SessionTimes> look_at(const FitContext& context, std::size_t session,
                             const ClockSurvey& survey, StageQuality& quality) {
  SessionTimes times;
  times.frame_s = frame_s(survey);
  times.placed = std::any_of(survey.streams.begin(), survey.streams.end(),
                             [](const StreamSurvey& stream) { return stream.by_presses; });
  auto tactile = find_tactile_latency(context, session);
  if (!tactile) return fail(tactile.error());
  times.tactile = std::move(*tactile);
  const auto stage = find_stage_latency(context, session);
  if (!stage) return fail(stage.error());
  quality.samples_used += static_cast<int>(times.tactile.samples);
  times.parameter = unidentifiable("s", times.tactile.refusal, "time");
  if (const auto& over = times.tactile.found) {
    times.parameter = judge_latency(*over, times.frame_s, context.model.sensor,
                                    where_of(context, session), quality.warnings);
    if (times.parameter.identified())
      times.tactile_s = Estimate{over->latency_s, over->u_latency_s, over->dof};
  }
  if (stage->latency_s &&
      coverage_95(stage->latency_s->dof) * stage->latency_s->std <= kStageLimit_s)
    times.stage_s = *stage->latency_s;
  return times;
}

/// Sessions of the same two devices, by a text that names them: the order of sessions tells
/// nothing.
std::map<std::string, std::vector<std::size_t>> pairs_of(const FitContext& context,
                                                         std::span<const SessionTimes> all,
                                                         StreamKind other) {
  std::map<std::string, std::vector<std::size_t>> pairs;
  for (std::size_t s = 0; s < all.size(); ++s) {
    auto pair = device_pair(context.sessions[s].session->metadata(), other);
    if (all[s].placed) pair += "; placed by the presses of " + where_of(context, s);
    pairs[pair].push_back(s);
  }
  return pairs;
}

std::optional<SharedLatency> shared_by(std::span<const SessionTimes> all,
                                       std::span<const std::size_t> sessions,
                                       std::optional<Estimate> SessionTimes::*which) {
  std::vector<Estimate> found;
  for (const auto s : sessions)
    if (all[s].*which) found.push_back(*(all[s].*which));
  return share_latencies(std::move(found));
}

/// How late readings may be that no session of their devices tells of.
double u_unknown_s(const SessionTimes& times) {
  const double assumed_s = assumed_latency_limit_s(times.frame_s);
  return u_rectangular(std::min(assumed_s, times.tactile.limit_s.value_or(assumed_s)));
}

void warn_differing(std::span<const SessionTimes> all, std::span<const std::size_t> sessions,
                    StageQuality& quality) {
  double low_s = 1e9, high_s = -1e9;
  for (const auto s : sessions) {
    if (!all[s].tactile_s) continue;
    low_s = std::min(low_s, all[s].tactile_s->value);
    high_s = std::max(high_s, all[s].tactile_s->value);
  }
  quality.warnings.push_back(
      {"TA-10",
       fmt::format("Sessions of the same devices find latencies from {:.1f} to {:.1f} ms, more "
                   "apart than chance: each keeps its own. Something between device and stamp "
                   "changed (driver, frame rate, computer).",
                   1e3 * low_s, 1e3 * high_s),
       ""});
}

/// Takes the latency of each pair of devices out of all its sessions. Returns that of the pair with
/// most sessions that found one.
std::optional<SharedLatency> settle_tactile(FitContext& context, std::span<const SessionTimes> all,
                                            StageQuality& quality) {
  std::optional<SharedLatency> most;
  std::size_t most_found = 0;
  for (const auto& [pair, sessions] : pairs_of(context, all, StreamKind::kTactile)) {
    const auto shared = shared_by(all, sessions, &SessionTimes::tactile_s);
    if (shared && !shared->agree) warn_differing(all, sessions, quality);
    std::size_t found = 0;
    for (const auto s : sessions) {
      auto& clocks = context.clocks[s];
      if (!shared) {
        clocks.u_latency_s = u_unknown_s(all[s]);
        continue;
      }
      const bool own = all[s].tactile_s.has_value();
      const auto& taken = own && !shared->agree ? *all[s].tactile_s : shared->latency_s;
      auto& time = clocks.of(StreamKind::kTactile);
      time.map = time.map.advanced(taken.value);
      clocks.u_latency_s = taken.std;
      found += own ? 1 : 0;
      if (!own) quality.figures["latency_taken_over"] += 1;
    }
    if (found > most_found) most = shared;
    most_found = std::max(most_found, found);
  }
  return most;
}

void settle_stage(FitContext& context, std::span<const SessionTimes> all, StageQuality& quality) {
  for (const auto& [pair, sessions] : pairs_of(context, all, StreamKind::kStage)) {
    const auto shared = shared_by(all, sessions, &SessionTimes::stage_s);
    if (!shared) continue;
    for (const auto s : sessions) {
      const auto& taken = all[s].stage_s && !shared->agree ? *all[s].stage_s : shared->latency_s;
      auto& time = context.clocks[s].of(StreamKind::kStage);
      time.map = time.map.advanced(taken.value);
    }
    quality.figures["stage_latency_ms"] = 1e3 * shared->latency_s.value;
    quality.figures["stage_latency_u95_ms"] =
        1e3 * coverage_95(shared->latency_s.dof) * shared->latency_s.std;
  }
}

void report_latency(FitContext& context, std::span<const SessionTimes> all,
                    const std::optional<SharedLatency>& shared, StageQuality& quality) {
  auto& parameter = context.model.timing.latency_s;
  double frame_s = 0;
  for (const auto& times : all) {
    if (!times.tactile_s) continue;
    frame_s = std::max(frame_s, times.frame_s);
    auto& figures = quality.figures;
    const auto put = [&](const char* name, double value, bool smallest) {
      const auto [at, is_new] = figures.try_emplace(name, value);
      if (!is_new)
        at->second = smallest ? std::min(at->second, value) : std::max(at->second, value);
    };
    put("hysteresis_half_N", times.tactile.found->hysteresis_N, false);
    put("weakest_correlation", times.tactile.r_min, true);
  }
  if (shared) {
    parameter = identified(shared->latency_s, "s", "time", row_scan(context.model.sensor, frame_s));
    return;
  }
  // Of several reasons the same one in any order of the sessions.
  const auto first = std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.parameter.reason < b.parameter.reason;
  });
  parameter = first->parameter;
  double u_s = 0;
  for (const auto& clocks : context.clocks) u_s = std::max(u_s, clocks.u_latency_s);
  quality.figures["latency_unknown_u_ms"] = 1e3 * u_s;
}

}  // namespace

Result<void> run_time(FitContext& context) {
  StageQuality quality;
  quality.residual_unit = "s";
  quality.interval_method =
      "clocks: boundary of exponential delays; latency: between presses of several rates";
  context.clocks.clear();
  context.model.clock.clear();
  std::vector<SessionTimes> all;
  double residuals = 0, points = 0;
  for (std::size_t s = 0; s < context.sessions.size(); ++s) {
    context.job.progress("time", static_cast<double>(s),
                         static_cast<double>(context.sessions.size()));
    const auto survey = survey_clocks(context, s);
    if (!survey) return fail(survey.error());
    context.clocks.push_back(survey->clocks);
    report_survey(context, s, *survey, quality);
    for (const auto& stream : survey->streams) {
      if (!stream.clock) continue;
      residuals += stream.clock->residual_s * static_cast<double>(stream.clock->points);
      points += static_cast<double>(stream.clock->points);
    }
    if (const auto settled = settle_placed(context, s, *survey); !settled)
      return fail(settled.error());
    auto times = look_at(context, s, *survey, quality);
    if (!times) return fail(times.error());
    all.push_back(std::move(*times));
  }
  const auto shared = settle_tactile(context, all, quality);
  settle_stage(context, all, quality);
  report_latency(context, all, shared, quality);
  if (points > 0) quality.residual_rms = residuals / points;
  context.model.quality["time"] = std::move(quality);
  return {};
}

}  // namespace tactelier
