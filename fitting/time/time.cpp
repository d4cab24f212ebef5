#include "fitting/time/time.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/statistics/refusal.hpp"
#include "fitting/time/stage_latency.hpp"
#include "fitting/time/stream_clocks.hpp"
#include "fitting/time/tactile_latency.hpp"

namespace tactelier {
namespace {

constexpr double kStageLimit_s = 5e-3;  // 95 %: a stage latency known no better is not taken out

std::string where_of(const FitContext& context, std::size_t session) {
  return context.sessions[session].session->file().filename().string();
}

void report_clock(const StreamCensus& census, const std::string& refusal, SensorModel& model) {
  auto& clock = model.clock[std::string(to_string(census.kind))];
  if (!census.clock) {
    clock.offset = unidentifiable("s", refusal, "time");
    clock.skew = unidentifiable("", refusal, "time");
    clock.residual = unidentifiable("s", refusal, "time");
    return;
  }
  clock.offset = identified(census.clock->offset_s, "s", "time");
  clock.skew = identified(census.clock->skew, "", "time");
  clock.residual = identified({census.clock->residual_s, 0, 0}, "s", "time");
}

void report_census(FitContext& context, std::size_t session, const ClockCensus& census,
                   StageQuality& quality) {
  const auto& metadata = context.sessions[session].session->metadata();
  quality.warnings.insert(quality.warnings.end(), census.warnings.begin(), census.warnings.end());
  for (const auto& stream : census.streams) {
    const auto name = std::string(to_string(stream.kind));
    quality.samples_used += static_cast<int>(stream.clock ? stream.clock->points : 0);
    if (stream.missing > 0)
      quality.figures[name + "_missing"] += static_cast<double>(stream.missing);
    if (stream.wraps > 0)
      quality.figures[name + "_counter_wraps"] += static_cast<double>(stream.wraps);
    const auto& refusal = census.clocks.of(stream.kind).refusal;
    if (!refusal.empty())
      quality.warnings.push_back(
          {refusal.substr(0, 5), refusal.substr(6), where_of(context, session)});
    if (stream.clock && stream.clock->windows > 1) {
      auto& wander = quality.figures[name + "_skew_wander_ppm"];
      wander = std::max(wander, 1e6 * stream.clock->wander);
    }
    if (session == 0 && metadata.clock(stream.kind) == Clock::kOwn)
      report_clock(stream, refusal, context.model);
  }
}

double frame_s(const ClockCensus& census) {
  for (const auto& stream : census.streams)
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

struct Judged {
  Parameter parameter;
  Estimate estimate;
};

Judged judge_latency(const LatencyOverRates& over, double frame_s, const SensorDescription& sensor,
                     const std::string& where, Warnings& warnings) {
  Judged judged;
  judged.estimate = {over.latency_s, over.u_latency_s, over.dof};
  const double expanded = coverage_95(over.dof) * over.u_latency_s;
  if (expanded > frame_s) {
    judged.parameter = unidentifiable(
        "s",
        fmt::format("ID-02 latency = {}: interval wider than a frame. Add ramps at higher speeds "
                    "(protocol P5)",
                    with_uncertainty(over.latency_s, expanded, "s")),
        "time");
    return judged;
  }
  judged.parameter = identified(judged.estimate, "s", "time", row_scan(sensor, frame_s));
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
  return judged;
}

/// One latency for the file from those of the sessions: weighted mean, widened where they differ by
/// more than they should.
Parameter over_sessions(const std::vector<Judged>& found, std::span<const Component> systematic) {
  double weights = 0, mean = 0, chi2 = 0, dof = 0;
  for (const auto& one : found) {
    const double w = 1 / std::max(one.estimate.std * one.estimate.std, 1e-24);
    weights += w;
    mean += w * one.estimate.value;
    dof += one.estimate.dof;
  }
  mean /= weights;
  for (const auto& one : found) {
    const double deviation = one.estimate.value - mean;
    chi2 += deviation * deviation / std::max(one.estimate.std * one.estimate.std, 1e-24);
  }
  const double birge = std::sqrt(std::max(1.0, chi2 / static_cast<double>(found.size() - 1)));
  return identified({mean, birge / std::sqrt(weights), dof}, "s", "time", systematic);
}

struct Latencies {
  std::vector<Judged> found;
  std::optional<Parameter> refused;
  double frame_s = 0;
};

/// Centres of load are late by hysteresis. Where they alone placed a clock, the rising edges of the
/// presses place it better.
Result<void> settle_placed(FitContext& context, std::size_t session, const ClockCensus& census) {
  for (const auto& stream : census.streams) {
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

Result<void> take_latencies(FitContext& context, std::size_t session, double frame_s,
                            Latencies& all, StageQuality& quality) {
  const auto where = where_of(context, session);
  const auto tactile = find_tactile_latency(context, session);
  if (!tactile) return fail(tactile.error());
  // Both are looked for on the clocks as they are, before either is taken out.
  const auto stage = find_stage_latency(context, session);
  if (!stage) return fail(stage.error());
  quality.samples_used += static_cast<int>(tactile->samples);
  auto& clocks = context.clocks[session];
  if (tactile->found) {
    auto judged =
        judge_latency(*tactile->found, frame_s, context.model.sensor, where, quality.warnings);
    if (judged.parameter.identified()) {
      auto& time = clocks.of(StreamKind::kTactile);
      time.map = time.map.advanced(judged.estimate.value);
      quality.figures["hysteresis_half_N"] = tactile->found->hysteresis_N;
      quality.figures["weakest_correlation"] = tactile->r_min;
      all.frame_s = std::max(all.frame_s, frame_s);
      all.found.push_back(std::move(judged));
    } else if (!all.refused) {
      all.refused = judged.parameter;
    }
  } else if (!all.refused) {
    all.refused = unidentifiable("s", tactile->refusal, "time");
  }
  if (!stage->latency_s) return {};
  const double expanded = coverage_95(stage->latency_s->dof) * stage->latency_s->std;
  if (expanded > kStageLimit_s) return {};
  auto& time = clocks.of(StreamKind::kStage);
  time.map = time.map.advanced(stage->latency_s->value);
  quality.figures["stage_latency_ms"] = 1e3 * stage->latency_s->value;
  quality.figures["stage_latency_u95_ms"] = 1e3 * expanded;
  return {};
}

}  // namespace

Result<void> run_time(FitContext& context) {
  StageQuality quality;
  quality.residual_unit = "s";
  quality.interval_method =
      "clocks: boundary of exponential delays; latency: between presses of several rates";
  context.clocks.clear();
  context.model.clock.clear();
  Latencies latencies;
  double residuals = 0, points = 0;
  for (std::size_t s = 0; s < context.sessions.size(); ++s) {
    context.job.progress("time", static_cast<double>(s),
                         static_cast<double>(context.sessions.size()));
    const auto census = take_census(context, s);
    if (!census) return fail(census.error());
    context.clocks.push_back(census->clocks);
    report_census(context, s, *census, quality);
    for (const auto& stream : census->streams) {
      if (!stream.clock) continue;
      residuals += stream.clock->residual_s * static_cast<double>(stream.clock->points);
      points += static_cast<double>(stream.clock->points);
    }
    if (const auto settled = settle_placed(context, s, *census); !settled)
      return fail(settled.error());
    const auto taken = take_latencies(context, s, frame_s(*census), latencies, quality);
    if (!taken) return fail(taken.error());
  }
  if (points > 0) quality.residual_rms = residuals / points;
  auto& latency = context.model.timing.latency_s;
  if (latencies.found.size() == 1)
    latency = latencies.found.front().parameter;
  else if (!latencies.found.empty())
    latency = over_sessions(latencies.found, row_scan(context.model.sensor, latencies.frame_s));
  else
    latency = *latencies.refused;
  context.model.quality["time"] = std::move(quality);
  return {};
}

}  // namespace tactelier
