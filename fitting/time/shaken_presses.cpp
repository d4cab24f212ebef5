#include "fitting/time/shaken_presses.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fitting/recording/press_data.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr double kOver_s = 0.025;       // longer than the period of a motor that rings
constexpr std::size_t kLeastWidth = 5;  // samples of force in it
constexpr double kShaken = 0.25;        // of half the hysteresis
constexpr double kLess = 0.75;          // of what the others show
constexpr double kHysteresisShows_s = 5e-3;
constexpr double kQuietShare = 0.1;       // of the presses are shaken by nothing but noise
constexpr double kStillShare = 0.65;      // up to half of the presses may be shaken
constexpr std::size_t kEnoughShaken = 2;  // shaken ones that tell a latency
constexpr double kLeastDoubt = 0.1;  // of the half band: a swing's amplitude is no better known
constexpr double kDofOfRectangle = 50;

struct ByShaking {
  std::vector<PressLag> still, shaken;  // swing_N: beyond noise
  double half_band_N = 0;
};

ByShaking by_shaking(std::span<const PressLag> presses) {
  std::vector<double> swings_N, delays_N;
  for (const auto& press : presses) {
    swings_N.push_back(press.swing_N);
    delays_N.push_back(press.lag_s * press.rate_N_per_s);
  }
  const double noise_N = quantile(swings_N, kQuietShare);
  ByShaking by;
  by.half_band_N = quantile(delays_N, kStillShare);
  for (auto press : presses) {
    const double a_N = std::sqrt(std::max(0.0, press.swing_N * press.swing_N - noise_N * noise_N));
    const double shown_N = press.lag_s * press.course_N_per_s;
    press.swing_N = a_N;
    if (press.course_N_per_s > 0 && a_N > kShaken * by.half_band_N &&
        shown_N < kLess * by.half_band_N) {
      press.rate_N_per_s = press.course_N_per_s;
      by.shaken.push_back(press);
    } else {
      press.lag_s += a_N / 2 / press.rate_N_per_s;
      press.u_lag_s = std::hypot(press.u_lag_s, a_N / std::sqrt(12.0) / press.rate_N_per_s);
      by.still.push_back(press);
    }
  }
  return by;
}

/// Of a rectangle from 0 to what swings leave of the half band, the same for all.
LatencyOverRates latency_of_shaken(const ByShaking& by) {
  std::vector<double> latencies_s, u_s;
  LatencyOverRates over;
  over.hysteresis_N = by.half_band_N;
  over.dof = kDofOfRectangle;
  over.slowest = over.fastest = by.shaken.front().rate_N_per_s;  // no course over rates
  for (const auto& press : by.shaken) {
    const double left_N = std::max(0.0, by.half_band_N - press.swing_N);
    latencies_s.push_back(press.lag_s - left_N / 2 / press.rate_N_per_s);
    u_s.push_back(std::hypot(press.u_lag_s, kLeastDoubt * by.half_band_N / press.rate_N_per_s,
                             left_N / std::sqrt(12.0) / press.rate_N_per_s));
  }
  over.latency_s = median(latencies_s);
  over.u_latency_s = median(u_s);
  return over;
}

LatencyOverRates mean_of(const LatencyOverRates& still, const LatencyOverRates& shaken) {
  const auto weight = [](const LatencyOverRates& of) {
    return 1 / (of.u_latency_s * of.u_latency_s);
  };
  const double sum = weight(still) + weight(shaken);
  auto mean = still;
  mean.latency_s = (weight(still) * still.latency_s + weight(shaken) * shaken.latency_s) / sum;
  const double apart =
      (still.latency_s - shaken.latency_s) / std::hypot(still.u_latency_s, shaken.u_latency_s);
  mean.u_latency_s = std::max(1.0, std::abs(apart)) / std::sqrt(sum);
  return mean;
}

}  // namespace

std::optional<ForceSwing> force_swing(const TimedSignal& force, double min_force_N) {
  const double interval_s = median_interval(force.time_s);
  if (!(interval_s > 0) || kOver_s / interval_s < static_cast<double>(kLeastWidth))
    return std::nullopt;
  const auto width = static_cast<std::size_t>(kOver_s / interval_s);
  const auto course = smoothed(force, width);
  std::vector<double> about;
  double sum = 0, squares = 0;
  for (std::size_t i = width; i + width < force.value.size(); ++i) {
    if (!(course.value[i] > min_force_N)) continue;
    about.push_back(force.value[i] - course.value[i]);
    const double rate_N_per_s = (course.value[i + width] - course.value[i - width]) /
                                (force.time_s[i + width] - force.time_s[i - width]);
    sum += std::abs(rate_N_per_s);
    squares += rate_N_per_s * rate_N_per_s;
  }
  if (!(sum > 0)) return std::nullopt;
  return ForceSwing{mad_sigma(about), squares / sum};
}

Result<LatencyOverRates> combine_shaken_lags(std::span<const PressLag> presses) {
  std::vector<double> lags_s;
  for (const auto& press : presses) lags_s.push_back(press.lag_s);
  const bool hysteresis_shows = median(lags_s) > kHysteresisShows_s;
  if (!hysteresis_shows) return combine_lags(presses);
  const auto by = by_shaking(presses);
  const auto still = combine_lags(by.still);
  if (by.shaken.size() < kEnoughShaken) return still;
  const auto shaken = latency_of_shaken(by);
  return still ? mean_of(*still, shaken) : shaken;
}

}  // namespace tactelier
