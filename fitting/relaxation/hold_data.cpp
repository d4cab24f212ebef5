#include "fitting/relaxation/hold_data.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/contact/contact.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/relaxation/rubber_memory.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr double kSettle_s = 0.02;     // after the stage has stopped: damping is over
constexpr double kGroupGrowth = 0.04;  // length of a group over the time since the hold began
constexpr double kShortestHold_s = 0.5;
constexpr double kRampSamples = 20;  // of the stage: fewer, and the ramp is taken as straight

double white_noise_of(std::span<const double> values) {
  std::vector<double> second;
  for (std::size_t i = 2; i < values.size(); ++i)
    second.push_back(values[i] - 2 * values[i - 1] + values[i - 2]);
  return second.empty() ? 0 : mad_sigma(second) / std::sqrt(6.0);
}

class HoldLoader {
 public:
  HoldLoader(const PressData& data, const Hold& hold, const PressContact& contact,
             std::vector<double> depth_m, bool ramp_seen, HoldPress& result)
      : data_(data),
        hold_(hold),
        contact_(contact),
        depth_m_(std::move(depth_m)),
        ramp_seen_(ramp_seen),
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
    add(contact_.time_s, 0, 0, 0);
    add_ramp(touch, rest);
    add_groups(rest, end);
    // A ramp that was not seen may have had any shape: what is faster than it is not told.
    const double shortest_s = ramp_seen_ ? result_.ramp_s / 3 : result_.ramp_s;
    result_.window = {std::max({2 * data_.period_s, shortest_s, 2 * kSettle_s}),
                      result_.length_s / 2};
  }

 private:
  void add(double time_s, double depth_m, double force_N, double sigma_N) {
    auto& trace = result_.trace;
    trace.time_s.push_back(time_s);
    trace.depth_m.push_back(depth_m);
    trace.force_N.push_back(force_N);
    trace.sigma_N.push_back(sigma_N);
  }

  void add_ramp(std::size_t touch, std::size_t rest) {
    if (!ramp_seen_) {
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
    while (begin < end) {
      const double since_s = data_.time_s[begin] - hold_.begin_s;
      const double until_s = data_.time_s[begin] + kGroupGrowth * since_s;
      std::size_t next = begin + 1;
      while (next < end && data_.time_s[next] < until_s) ++next;
      const auto n = static_cast<double>(next - begin);
      double time_s = 0, depth_m = 0, force_N = 0;
      for (std::size_t i = begin; i < next; ++i) {
        time_s += data_.time_s[i] / n;
        depth_m += depth_m_[i] / n;
        force_N += data_.force_N[i] / n;
      }
      add(time_s, depth_m, force_N - contact_.force_bias_N, result_.white_N / std::sqrt(n));
      begin = next;
    }
  }

  const PressData& data_;
  const Hold& hold_;
  const PressContact& contact_;
  std::vector<double> depth_m_;
  bool ramp_seen_;
  HoldPress& result_;
};

Result<HoldPress> load_hold(const FitContext& context, std::size_t s, std::size_t p) {
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
  const auto data = load_press(context, s, p, {}, PressBase::kForce);
  if (!data && data.error().code != ErrorCode::kUnidentifiable) return fail(data.error());
  if (!data || !data->has_force() || !data->has_travel()) {
    result.refusal = !data ? data.error().message
                           : "NO-SAMPLES relaxation needs force and stage travel of a hold";
    return result;
  }
  if (auto added = add_history(context, s, p, result.trace); !added) return fail(added.error());
  const auto* stage = session.session->stream(StreamKind::kStage);
  const double rate_hz = stage ? stage->rate_hz().value_or(0) : 0;
  const bool seen = (hold.begin_s - contact->time_s) * rate_hz >= kRampSamples;
  auto rested = at_rest(context, s, p, *contact);
  const auto depth = depth_m(context, rested, *data);
  for (std::size_t i = data->peak; i-- > 0;)
    if (depth[i] <= 0) {
      rested.time_s = data->time_s[i];
      break;
    }
  HoldLoader(*data, hold, rested, depth, seen, result).load();
  return result;
}

}  // namespace

Result<std::vector<HoldPress>> load_holds(const FitContext& context) {
  std::vector<HoldPress> holds;
  for (std::size_t s = 0; s < context.sessions.size(); ++s)
    for (std::size_t p = 0; p < context.sessions[s].presses.size(); ++p) {
      if (context.job.stopped()) return Job::cancelled();
      const Press& press = context.sessions[s].presses[p];
      if (!press.usable() || press.kind != PressKind::kHold || press.holds.empty() ||
          press.holds.front().end_s - press.holds.front().begin_s < kShortestHold_s)
        continue;
      auto hold = load_hold(context, s, p);
      if (!hold) return fail(hold.error());
      holds.push_back(std::move(*hold));
    }
  return holds;
}

}  // namespace tactelier
