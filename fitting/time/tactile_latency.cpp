#include "fitting/time/tactile_latency.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/recording/load_in_order.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/recording/reading_step.hpp"
#include "fitting/recording/stream_reader.hpp"
#include "fitting/statistics/robust.hpp"
#include "fitting/time/shaken_presses.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMaxFast = 40;  // presses of kinds that move at several speeds
constexpr std::size_t kMaxOthers = 20;
constexpr std::size_t kBaselineRows = 20;
constexpr double kPeakShare = 0.1;    // of the press's peak that force must exceed at least
constexpr double kScan_s = 0.25;      // of one press; hysteresis delays slow ones further:
constexpr double kScanShare = 0.1;    // of the time under force
constexpr double kReachShare = 0.08;  // of the scan: some of its steps
constexpr double kLargest_s = 0.1;
constexpr double kMedianOverMean = 1.25;  // standard errors
constexpr std::size_t kAgreeing = 3;      // presses that bound a latency
constexpr std::size_t kCubicRows = 60, kSquareRows = 25;

std::optional<int> tactel_of(const Press& press, const SensorDescription& sensor) {
  if (press.tactel) return press.tactel;
  if (!press.x_m || !press.y_m) return std::nullopt;
  int best = 0;
  double nearest = 1e300;
  for (int i = 0; i < sensor.tactels(); ++i) {
    const auto at = sensor.position_m(i);
    const double distance = std::hypot(at[0] - *press.x_m, at[1] - *press.y_m);
    if (distance < nearest) {
      nearest = distance;
      best = i;
    }
  }
  return best;
}

/// Presses to look at: all that move at several speeds, and a few of the others, spread evenly.
std::vector<std::size_t> choose(std::span<const Press> presses) {
  std::vector<std::size_t> fast, others;
  for (std::size_t i = 0; i < presses.size(); ++i) {
    if (!presses[i].usable()) continue;
    const bool moves = shows_rate(presses[i].kind);
    (moves ? fast : others).push_back(i);
  }
  const auto thin = [](std::vector<std::size_t>& list, std::size_t most) {
    if (list.size() <= most) return;
    for (std::size_t i = 0; i < most; ++i) list[i] = list[i * list.size() / most];
    list.resize(most);
  };
  thin(fast, kMaxFast);
  thin(others, kMaxOthers);
  fast.insert(fast.end(), others.begin(), others.end());
  return fast;
}

struct Signals {
  TimedSignal force, counts;
  double max_gap_s = 0;
};

Result<Signals> load(const FitContext& context, std::size_t session, const Press& press,
                     int tactel) {
  const auto& clocks = context.clocks[session];
  const StreamReader reader{*context.sessions[session].session,
                            clocks,
                            {press.begin_s, press.end_s},
                            false,
                            Job{{}, context.job.stop}};
  auto force = reader.force();
  if (!force) return fail(force.error());
  auto counts = reader.tactile(std::array{tactel});
  if (!counts) return fail(counts.error());
  Signals signals;
  signals.max_gap_s = force->max_gap_s;
  signals.force = {std::move(force->samples.time_s), std::move(force->samples.columns[0])};
  turn_falling(counts->samples.columns[0], context.model.sensor);
  for (std::size_t i = 0; i < counts->samples.rows(); ++i) {
    if (std::isnan(counts->samples.columns[0][i])) continue;
    signals.counts.time_s.push_back(counts->samples.time_s[i]);
    signals.counts.value.push_back(counts->samples.columns[0][i]);
  }
  return signals;
}

double half_step(std::span<const double> counts) {
  ReadingStep step;
  step.add(counts);
  return step.counts() / 2;
}

double ceiling_of(const TimedSignal& counts, double sigma, const SensorDescription& sensor) {
  const double top = *std::max_element(counts.value.begin(), counts.value.end());
  const auto at_top = std::count(counts.value.begin(), counts.value.end(), top);
  double ceiling = at_top >= 5 ? top : 1e300;
  if (sensor.adc.max) ceiling = std::min(ceiling, *sensor.adc.max);
  return ceiling - 3 * sigma - half_step(counts.value);
}

/// Force above twice the trigger, which shows where the counts leave their baseline. Empty when
/// they never do.
std::optional<LatencyMask> mask_for(const Signals& signals, const SensorDescription& sensor) {
  const auto& counts = signals.counts.value;
  if (counts.size() < 2 * kBaselineRows || signals.force.value.size() < 2 * kBaselineRows)
    return std::nullopt;
  const auto before = std::span(counts).first(kBaselineRows);
  const double base = median(before);
  const double sigma = std::max(mad_sigma(before), half_step(counts));
  std::size_t above = 0, first = counts.size();
  for (std::size_t i = 0; i < counts.size() && first == counts.size(); ++i) {
    above = counts[i] > base + 6 * sigma ? above + 1 : 0;
    if (above == 3) first = i - 2;
  }
  if (first == counts.size()) return std::nullopt;
  std::vector<double> early;
  for (std::size_t i = 0; i < signals.force.value.size(); ++i)
    if (signals.force.time_s[i] < signals.counts.time_s[kBaselineRows])
      early.push_back(signals.force.value[i]);
  if (early.empty()) return std::nullopt;
  const double bias = median(early);
  const double at[] = {signals.counts.time_s[first]};
  const double trigger =
      interpolate(signals.force.time_s, signals.force.value, at, signals.max_gap_s)[0] - bias;
  const double peak =
      *std::max_element(signals.force.value.begin(), signals.force.value.end()) - bias;
  if (!(trigger < peak)) return std::nullopt;
  LatencyMask mask;
  mask.min_force_N = bias + std::max(2 * trigger, kPeakShare * peak);
  mask.max_counts = ceiling_of(signals.counts, sigma, sensor);
  mask.max_gap_s = signals.max_gap_s;
  return mask;
}

double time_under_force_s(const TimedSignal& force, const LatencyMask& mask) {
  const auto under = std::count_if(force.value.begin(), force.value.end(),
                                   [&](double force_N) { return force_N > mask.min_force_N; });
  return static_cast<double>(under) * median_interval(force.time_s);
}

struct Lag {
  PressLag lag;
  std::size_t samples = 0;
  double r = 0;
};

Result<Lag> lag_of(const Signals& signals, const SensorDescription& sensor) {
  const auto mask = mask_for(signals, sensor);
  if (!mask)
    return fail(ErrorCode::kUnidentifiable,
                "TA-07 No moving press in this record: latency needs dF/dt other than 0.");
  const double scan_s = std::max(kScan_s, kScanShare * time_under_force_s(signals.force, *mask));
  const auto start = correlate(signals.force, signals.counts, *mask, scan_s);
  if (!start) return fail(start.error());
  const double force_s = median_interval(signals.force.time_s);
  const double frame_s = median_interval(signals.counts.time_s);
  // About a tactile period, so that the noise of force does not become that of its rate.
  const auto width = static_cast<std::size_t>(std::clamp(frame_s / force_s, 1.0, 1e4));
  const auto rows = static_cast<std::size_t>(
      std::count_if(signals.counts.value.begin(), signals.counts.value.end(),
                    [&](double c) { return c < mask->max_counts; }));
  const int degree = rows >= kCubicRows ? 3 : rows >= kSquareRows ? 2 : 1;
  const auto fit = fit_latency(smoothed(signals.force, width), signals.counts, *mask, start->lag_s,
                               degree, true, std::max(kLatencyReach_s, kReachShare * scan_s));
  if (!fit) return fail(fit.error());
  const auto swing = force_swing(signals.force, mask->min_force_N).value_or(ForceSwing{});
  return Lag{{fit->lag_s, fit->u_lag_s, fit->rate_N_per_s, swing.amplitude_N, swing.course_N_per_s},
             fit->samples,
             start->r_max};
}

/// Of the median of the presses' apparent delays, by their scatter and by what each knows; or of
/// the third smallest, since hysteresis can but add to a delay.
double limit_of(std::span<const PressLag> lags, double median_s) {
  std::vector<double> apparent_s, own_s, most_s;
  for (const auto& lag : lags) {
    apparent_s.push_back(lag.lag_s);
    own_s.push_back(lag.u_lag_s);
    most_s.push_back(std::abs(lag.lag_s) + 2 * lag.u_lag_s);
  }
  const double one_s = std::max(lags.size() > 2 ? mad_sigma(apparent_s) : 0.0, median(own_s));
  const double of_median_s = std::abs(median_s) + 2 * kMedianOverMean * one_s /
                                                      std::sqrt(static_cast<double>(lags.size()));
  if (most_s.size() < kAgreeing) return of_median_s;
  std::nth_element(most_s.begin(), most_s.begin() + (kAgreeing - 1), most_s.end());
  return std::min(of_median_s, most_s[kAgreeing - 1]);
}

}  // namespace

Result<SessionLatency> find_tactile_latency(const FitContext& context, std::size_t session) {
  SessionLatency latency;
  const auto& from = context.sessions[session];
  const auto& file = *from.session;
  for (const auto kind : {StreamKind::kForce, StreamKind::kTactile}) {
    if (!file.stream(kind))
      latency.refusal =
          fmt::format("TA-07 There is no {} stream with a time course.", to_string(kind));
    else if (!context.clocks[session].of(kind).refusal.empty())
      latency.refusal = context.clocks[session].of(kind).refusal;
  }
  if (file.metadata().imported && file.metadata().imported->static_readings)
    latency.refusal = "TA-07 Readings at rest: latency needs dF/dt other than 0.";
  if (!latency.refusal.empty()) return latency;
  std::vector<PressLag> lags;
  std::string objection = "TA-07 No moving press in this record: latency needs dF/dt other than 0.";
  auto chosen = choose(from.presses);
  std::erase_if(chosen, [&](std::size_t p) {
    return !tactel_of(from.presses[p], context.model.sensor).has_value();
  });
  const auto find = [&](std::size_t i) -> Result<Lag> {
    if (context.job.stopped()) return Job::cancelled();
    const auto& press = from.presses[chosen[i]];
    return load(context, session, press, *tactel_of(press, context.model.sensor))
        .and_then([&](const Signals& loaded) { return lag_of(loaded, context.model.sensor); });
  };
  const auto take = [&](std::size_t i, const Result<Lag>& lag) -> Result<void> {
    context.job.progress("time", static_cast<double>(i), static_cast<double>(chosen.size()));
    if (lag) {
      lags.push_back(lag->lag);
      latency.samples += lag->samples;
      latency.r_min = std::min(latency.r_min, lag->r);
      return {};
    }
    if (lag.error().code != ErrorCode::kUnidentifiable)
      return fail(lag.error(), file.file().filename().string());
    objection = lag.error().message;
    return {};
  };
  const auto done = load_in_order(thread_count(context.options.threads), chosen.size(), find, take);
  if (!done) return fail(done.error());
  if (lags.empty()) {
    latency.refusal = objection;
    return latency;
  }
  std::vector<double> apparent_s;
  for (const auto& lag : lags) apparent_s.push_back(lag.lag_s);
  latency.apparent_s = median(apparent_s);
  latency.limit_s = limit_of(lags, *latency.apparent_s);
  const auto over = combine_shaken_lags(lags);
  if (!over)
    latency.refusal = over.error().message;
  else if (std::abs(over->latency_s) > kLargest_s)
    latency.refusal =
        fmt::format("TA-05 Latency is outside +-{:.0f} ms: check the clocks.", 1e3 * kLargest_s);
  else
    latency.found = *over;
  return latency;
}

}  // namespace tactelier
