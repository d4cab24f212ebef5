#include "fitting/relaxation/hold_trace.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fitting/relaxation/rubber_memory.hpp"
#include "fitting/statistics/robust.hpp"
#include "fitting/statistics/white_noise.hpp"

namespace tactelier {
namespace {

constexpr double kSettle_s = 0.02;      // after the stage has stopped: damping is over
constexpr double kGroupGrowth = 0.04;   // length of a group over the time since the hold began
constexpr std::size_t kNoiseRows = 40;  // tell a noise
constexpr std::size_t kBlockRows = 20;  // longer than a force sensor's filter remembers
constexpr std::size_t kFewBlocks = 5;   // don't tell a knock from noise
constexpr double kKnock = 5;            // standard deviations of a block's mean
constexpr double kContact_m = 50e-6;    // a contact point of which nothing is known is this good
constexpr double kPlace_m = 10e-6;      // by which a stage without encoder may be elsewhere
// Of the pad's surface: an aluminium frame of 0.3 m grows by 7 um/K, and a room changes by 2 to 3 K
// an hour.
constexpr double kDrift_m_per_s = 20e-6 / 3600;

/// What means of many rows scatter more than rows without memory of each other would: a force
/// sensor's filter makes neighbours alike.
double memory_of_noise(std::span<const double> values) {
  std::vector<double> means;
  for (std::size_t i = 0; i + kBlockRows <= values.size(); i += kBlockRows) {
    const auto block = values.subspan(i, kBlockRows);
    means.push_back(std::accumulate(block.begin(), block.end(), 0.0) / kBlockRows);
  }
  const double white = white_noise(values);
  if (means.size() < kNoiseRows || !(white > 0)) return 1;
  return std::max(1.0, std::sqrt(1.0 * kBlockRows) * white_noise(means) / white);
}

/// Mean without what a knock against the table did to a part of the rows.
double mean_without_knocks(std::span<const double> values) {
  const auto mean_of = [](std::span<const double> part) {
    return std::accumulate(part.begin(), part.end(), 0.0) / static_cast<double>(part.size());
  };
  if (values.size() < kFewBlocks * kBlockRows) return mean_of(values);
  const std::size_t blocks = values.size() / kBlockRows;
  std::vector<double> means;
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t from = b * values.size() / blocks, to = (b + 1) * values.size() / blocks;
    means.push_back(mean_of(values.subspan(from, to - from)));
  }
  const double middle = median(means), sigma = mad_sigma(means);
  double sum = 0, count = 0;
  for (const double mean : means) {
    if (std::abs(mean - middle) > kKnock * sigma) continue;
    sum += mean;
    ++count;
  }
  return sum / count;
}

class HoldLoader {
 public:
  HoldLoader(const PressData& data, const Hold& hold, const PressContact& contact,
             std::span<const double> depth_m, Ramp ramp, HoldPress& result)
      : data_(data),
        hold_(hold),
        contact_(contact),
        depth_m_(depth_m),
        ramp_(ramp),
        result_(result) {}

  void load() {
    const auto at = [&](double t) {
      return static_cast<std::size_t>(
          std::lower_bound(data_.time_s.begin(), data_.time_s.end(), t) - data_.time_s.begin());
    };
    const std::size_t touch = at(contact_.time_s);
    const std::size_t rest = at(hold_.begin_s + ramp_.late.value_s + kSettle_s);
    const std::size_t end = at(hold_.end_s);
    if (end < rest + 50) {
      result_.refusal = "NO-SAMPLES the hold has fewer than 50 force samples";
      return;
    }
    result_.begin_s = hold_.begin_s;
    result_.length_s = hold_.end_s - hold_.begin_s;
    result_.depth_m = depth_m_[rest];
    const std::span force(data_.force_N);
    result_.white_N = white_noise(force.subspan(rest, end - rest));
    memory_ = memory_of_noise(force.subspan(rest, end - rest));
    result_.force_N = median(force.subspan(rest, 10)) - contact_.force_bias_N;
    if (result_.trace.time_s.empty()) result_.trace.begin_s = contact_.time_s;
    if (result_.at_force) add_creep(rest, end);
    result_.trace.own_row = result_.trace.time_s.size();
    if (ramp_.kind == Ramp::kComputed) {
      result_.trace.u_zero_m = std::hypot(std::min(contact_.u_z0_m, kContact_m), kPlace_m);
      result_.trace.u_late_s = ramp_.late.u_s;
      result_.u_late_s = ramp_.late.u_shared_s;
      result_.trace.u_drift_m_per_s = kDrift_m_per_s;
    }
    add(contact_.time_s, 0, 0, 0);
    add_ramp(touch, at(hold_.begin_s - result_.ramp_s), rest);
    add_groups(rest, end);
    result_.window = {std::max({2 * data_.period_s, shortest_s(), 2 * kSettle_s}),
                      result_.shows_s / 2};
  }

 private:
  /// A ramp that nobody knows may have had any shape: what is faster than it is not told.
  double shortest_s() const {
    switch (ramp_.kind) {
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

  void add_ramp(std::size_t touch, std::size_t ramp, std::size_t rest) {
    if (ramp_.kind == Ramp::kUnknown) {
      if (hold_.begin_s > contact_.time_s) add(hold_.begin_s, depth_m_[rest], 0, 0);
      return;
    }
    if (ramp > touch + 1)
      add_path(std::span(data_.time_s).subspan(touch + 1, ramp - touch - 1),
               depth_m_.subspan(touch + 1, ramp - touch - 1), result_.trace);
    if (ramp > touch) result_.trace.own_row = result_.trace.time_s.size() - 1;
    for (std::size_t i = std::max(touch, ramp); i < rest; ++i)
      if (data_.time_s[i] > contact_.time_s) add(data_.time_s[i], std::max(0.0, depth_m_[i]), 0, 0);
  }

  void add_creep(std::size_t begin, std::size_t end) {
    std::vector<double> since_s;
    for (std::size_t i = begin; i < end; ++i) since_s.push_back(data_.time_s[i] - hold_.begin_s);
    result_.creep = depth_creep(since_s, depth_m_.subspan(begin, end - begin));
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
    if (ramp_.kind == Ramp::kSampled) return memory_ * result_.white_N;
    const auto rows = std::span(data_.force_N).subspan(begin, end - begin);
    return memory_ * std::max(result_.white_N, white_noise(rows));
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
    if (ramp_.kind == Ramp::kSampled) return end;
    const std::size_t alike = std::max(until(begin, 1, end), begin + kNoiseRows);
    return alike + kNoiseRows > end ? end : alike;
  }

  void add_mean(std::size_t begin, std::size_t end, double noise_N) {
    const auto n = static_cast<double>(end - begin);
    double time_s = 0, depth_m = 0;
    for (std::size_t i = begin; i < end; ++i) {
      time_s += data_.time_s[i] / n;
      depth_m += depth_m_[i] / n;
    }
    const double force_N =
        mean_without_knocks(std::span(data_.force_N).subspan(begin, end - begin));
    add(time_s, depth_m, force_N - contact_.force_bias_N, noise_N / std::sqrt(n));
  }

  const PressData& data_;
  const Hold& hold_;
  const PressContact& contact_;
  std::span<const double> depth_m_;
  Ramp ramp_;
  HoldPress& result_;
  double memory_ = 1;  // of the noise
};

}  // namespace

Hold begun_after(const Ramp& ramp, Hold hold) {
  if (ramp.kind == Ramp::kComputed) hold.begin_s = ramp.end_s;
  return hold;
}

void fill_trace(const PressData& data, const Hold& hold, const PressContact& contact,
                std::span<const double> depth_m, Ramp ramp, HoldPress& result) {
  HoldLoader(data, hold, contact, depth_m, ramp, result).load();
}

}  // namespace tactelier
