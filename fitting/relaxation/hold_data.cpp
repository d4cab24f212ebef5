#include "fitting/relaxation/hold_data.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fitting/contact/contact.hpp"
#include "fitting/recording/computed_travel.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/relaxation/rubber_memory.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr double kSettle_s = 0.02;      // after the stage has stopped: damping is over
constexpr double kGroupGrowth = 0.04;   // length of a group over the time since the hold began
constexpr std::size_t kNoiseRows = 40;  // tell a noise
constexpr double kShortestHold_s = 0.5;
constexpr double kRemembered = 2;     // of a hold's length: four of the slowest time it can show
constexpr double kRampSamples = 20;   // of the stage: fewer, and the ramp is computed, or straight
constexpr double kContact_m = 50e-6;  // a contact point of which nothing is known is this good
constexpr double kStill = 1e-3;       // of the way in: a stage that has not moved
constexpr double kPlace_m = 10e-6;    // by which a stage without encoder may be elsewhere

double white_noise_of(std::span<const double> values) {
  std::vector<double> second;
  for (std::size_t i = 2; i < values.size(); ++i)
    second.push_back(values[i] - 2 * values[i - 1] + values[i - 2]);
  return second.empty() ? 0 : mad_sigma(second) / std::sqrt(6.0);
}

/// What is known of the way from first touch into the hold.
enum class Ramp { kUnknown, kSampled, kComputed };

class HoldLoader {
 public:
  HoldLoader(const PressData& data, const Hold& hold, const PressContact& contact,
             std::vector<double> depth_m, Ramp ramp, HoldPress& result)
      : data_(data),
        hold_(hold),
        contact_(contact),
        depth_m_(std::move(depth_m)),
        ramp_(ramp),
        result_(result) {}

  void load() {
    const auto at = [&](double t) {
      return static_cast<std::size_t>(
          std::lower_bound(data_.time_s.begin(), data_.time_s.end(), t) - data_.time_s.begin());
    };
    const std::size_t touch = at(contact_.time_s);
    const std::size_t rest = at(hold_.begin_s + kSettle_s);
    const std::size_t end = at(hold_.end_s);
    if (end < rest + 50) {
      result_.refusal = "NO-SAMPLES the hold has fewer than 50 force samples";
      return;
    }
    result_.begin_s = hold_.begin_s;
    result_.length_s = hold_.end_s - hold_.begin_s;
    result_.ramp_s = std::max(0.0, hold_.begin_s - contact_.time_s);
    result_.depth_m = depth_m_[rest];
    const std::span force(data_.force_N);
    result_.white_N = white_noise_of(force.subspan(rest, end - rest));
    result_.force_N = median(force.subspan(rest, 10)) - contact_.force_bias_N;
    if (result_.trace.time_s.empty()) result_.trace.begin_s = contact_.time_s;
    if (result_.at_force) add_creep(rest, end);
    result_.trace.own_row = result_.trace.time_s.size();
    if (ramp_ == Ramp::kComputed)
      result_.trace.u_zero_m = std::hypot(std::min(contact_.u_z0_m, kContact_m), kPlace_m);
    add(contact_.time_s, 0, 0, 0);
    add_ramp(touch, rest);
    add_groups(rest, end);
    result_.window = {std::max({2 * data_.period_s, shortest_s(), 2 * kSettle_s}),
                      result_.length_s / 2};
  }

 private:
  /// A ramp that nobody knows may have had any shape: what is faster than it is not told.
  double shortest_s() const {
    switch (ramp_) {
      case Ramp::kUnknown:
        return result_.ramp_s;
      case Ramp::kSampled:
        return result_.ramp_s / 3;
      case Ramp::kComputed:
        return result_.ramp_s / 10;
    }
    return result_.ramp_s;
  }

  void add(double time_s, double depth_m, double force_N, double sigma_N) {
    auto& trace = result_.trace;
    trace.time_s.push_back(time_s);
    trace.depth_m.push_back(depth_m);
    trace.force_N.push_back(force_N);
    trace.sigma_N.push_back(sigma_N);
  }

  void add_ramp(std::size_t touch, std::size_t rest) {
    if (ramp_ == Ramp::kUnknown) {
      if (hold_.begin_s > contact_.time_s) add(hold_.begin_s, depth_m_[rest], 0, 0);
      return;
    }
    for (std::size_t i = touch; i < rest; ++i)
      if (data_.time_s[i] > contact_.time_s) add(data_.time_s[i], std::max(0.0, depth_m_[i]), 0, 0);
  }

  void add_creep(std::size_t begin, std::size_t end) {
    std::vector<double> since_s;
    for (std::size_t i = begin; i < end; ++i) since_s.push_back(data_.time_s[i] - hold_.begin_s);
    result_.creep = depth_creep(since_s, std::span(depth_m_).subspan(begin, end - begin));
  }

  void add_groups(std::size_t begin, std::size_t end) {
    std::size_t alike = begin;  // rows before it have this noise
    double noise_N = 0;
    while (begin < end) {
      if (begin >= alike) {
        alike = alike_until(begin, end);
        noise_N = noise_between(begin, alike);
      }
      const std::size_t next = std::min(until(begin, kGroupGrowth, end), alike);
      add_mean(begin, next, noise_N);
      begin = next;
    }
  }

  /// Stages whose every position is sampled step too finely to be heard in the force.
  double noise_between(std::size_t begin, std::size_t end) const {
    if (ramp_ == Ramp::kSampled) return result_.white_N;
    const auto rows = std::span(data_.force_N).subspan(begin, end - begin);
    return std::max(result_.white_N, white_noise_of(rows));
  }

  /// Rows until the time since the hold began has grown by `share`; one at least.
  std::size_t until(std::size_t begin, double share, std::size_t end) const {
    const double until_s = data_.time_s[begin] + share * (data_.time_s[begin] - hold_.begin_s);
    std::size_t next = begin + 1;
    while (next < end && data_.time_s[next] < until_s) ++next;
    return next;
  }

  /// What motors add to the noise dies away: rows of one noise are those of a doubling of time.
  std::size_t alike_until(std::size_t begin, std::size_t end) const {
    if (ramp_ == Ramp::kSampled) return end;
    const std::size_t alike = std::max(until(begin, 1, end), begin + kNoiseRows);
    return alike + kNoiseRows > end ? end : alike;
  }

  void add_mean(std::size_t begin, std::size_t end, double noise_N) {
    const auto n = static_cast<double>(end - begin);
    double time_s = 0, depth_m = 0, force_N = 0;
    for (std::size_t i = begin; i < end; ++i) {
      time_s += data_.time_s[i] / n;
      depth_m += depth_m_[i] / n;
      force_N += data_.force_N[i] / n;
    }
    add(time_s, depth_m, force_N - contact_.force_bias_N, noise_N / std::sqrt(n));
  }

  const PressData& data_;
  const Hold& hold_;
  const PressContact& contact_;
  std::vector<double> depth_m_;
  Ramp ramp_;
  HoldPress& result_;
};

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
                       const CommandedPath& path, double contact_s, PressData& data) {
  const auto& session = context.sessions[s];
  const Hold& hold = session.presses[p].holds.front();
  const auto* stage = session.session->stream(StreamKind::kStage);
  const double rate_hz = stage ? stage->rate_hz().value_or(0) : 0;
  const double ramp_rows = session.session->metadata().imported
                               ? rows_between(data.time_s, contact_s, hold.begin_s)
                               : (hold.begin_s - contact_s) * rate_hz;
  if (ramp_rows >= kRampSamples) return Ramp::kSampled;
  if (hold.force_N) return Ramp::kUnknown;
  const auto computed = compute_loading(context, s, p, path, {hold.begin_s, hold.end_s}, data);
  if (!computed) return fail(computed.error());
  return *computed ? Ramp::kComputed : Ramp::kUnknown;
}

Result<HoldPress> load_hold(const FitContext& context, std::size_t s, std::size_t p,
                            const CommandedPath& path) {
  const auto& session = context.sessions[s];
  const Press& press = session.presses[p];
  HoldPress result;
  result.session = s;
  result.press = press.number;
  result.where =
      fmt::format("{} press {}", session.session->file().filename().string(), press.number);
  result.tactel = press.tactel;
  result.mount = session.session->metadata().mount;
  const Hold& hold = press.holds.front();
  result.at_force = hold.force_N.has_value();
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
  const double back_s = kRemembered * (hold.end_s - hold.begin_s);
  if (auto added = add_history(context, s, p, result.trace, back_s); !added)
    return fail(added.error());
  const auto ramp = find_ramp(context, s, p, path, contact->time_s, *data);
  if (!ramp) return fail(ramp.error());
  auto rested = at_rest(context, s, p, *contact);
  auto depth = depth_m(context, rested, *data);
  const double above_m = stands_in_air_m(*data, depth, rested);
  for (double& d : depth) d -= above_m;
  for (std::size_t i = data->peak; i-- > 0;)
    if (depth[i] <= 0) {
      rested.time_s = data->time_s[i];
      break;
    }
  HoldLoader(*data, hold, rested, depth, *ramp, result).load();
  return result;
}

/// A table's ramp that rests at a force shows how the depth creeps there.
bool rests_at_force(const FitSession& session, const Press& press) {
  return press.kind == PressKind::kRamp && press.holds.front().force_N &&
         session.session->metadata().imported;
}

}  // namespace

Result<std::vector<HoldPress>> load_holds(const FitContext& context) {
  std::vector<HoldPress> holds;
  for (std::size_t s = 0; s < context.sessions.size(); ++s) {
    const auto path = commanded_path(*context.sessions[s].session);
    for (std::size_t p = 0; p < context.sessions[s].presses.size(); ++p) {
      if (context.job.stopped()) return Job::cancelled();
      const Press& press = context.sessions[s].presses[p];
      if (!press.usable() || press.holds.empty() ||
          (press.kind != PressKind::kHold && !rests_at_force(context.sessions[s], press)) ||
          press.holds.front().end_s - press.holds.front().begin_s < kShortestHold_s)
        continue;
      auto hold = load_hold(context, s, p, path);
      if (!hold) return fail(hold.error());
      holds.push_back(std::move(*hold));
    }
  }
  return holds;
}

}  // namespace tactelier
