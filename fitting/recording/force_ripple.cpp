#include "fitting/recording/force_ripple.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "fitting/statistics/line_fit.hpp"
#include "fitting/statistics/moving_mean.hpp"

namespace tactelier {
namespace {

constexpr double kFrom = 0.25, kTo = 0.97;  // of the peak force: the rows that are looked at
constexpr double kSlowest_hz = 20;          // slower steps are the course of the force
constexpr double kFastest = 0.4;            // of the force's rate
constexpr double kSpeedOff = 0.03;          // relative, of the speed that positions tell
constexpr int kTried = 25;                  // rates within that
constexpr std::size_t kBlocks = 6;
constexpr double kMinCycles = 6;  // of a block

using Complex = std::complex<double>;

struct Course {
  std::vector<double> time_s, force_N, off_N;  // off: about the force's own course
};

Complex line_of(const Course& course, std::size_t begin, std::size_t end, double rate_hz) {
  Complex sum = 0;
  const double turn = 2 * std::numbers::pi * rate_hz;
  for (std::size_t i = begin; i < end; ++i)
    sum += course.off_N[i] * std::polar(1.0, -turn * (course.time_s[i] - course.time_s[begin]));
  return 2.0 * sum / static_cast<double>(end - begin);
}

/// Squared amplitude of a line, without what noise of this variance makes of it.
double squared(const Course& course, std::size_t begin, std::size_t end, double rate_hz,
               double variance) {
  const double all = std::norm(line_of(course, begin, end, rate_hz));
  return std::max(0.0, all - 4 * variance / static_cast<double>(end - begin));
}

}  // namespace

std::optional<ForceRipple> force_ripple(const PressData& data, const PressContact& contact,
                                        double step_m) {
  if (!(step_m > 0) || !data.has_force() || !data.has_travel() || data.static_readings) return {};
  const double peak_N = data.force_N[data.peak] - contact.force_bias_N;
  std::size_t first = 0;
  while (first < data.peak && (data.time_s[first] < contact.time_s ||
                               data.force_N[first] - contact.force_bias_N < kFrom * peak_N))
    ++first;
  std::size_t last = data.peak;
  while (last > first && data.force_N[last] - contact.force_bias_N > kTo * peak_N) --last;
  if (last < first + 32) return {};
  const auto part = [&](const std::vector<double>& of) {
    return std::vector<double>(of.begin() + static_cast<std::ptrdiff_t>(first),
                               of.begin() + static_cast<std::ptrdiff_t>(last));
  };
  Course course{part(data.time_s), part(data.force_N), {}};
  const auto motion = fit_line(course.time_s, part(data.travel_m));
  if (!motion) return {};
  const double period_s = median_interval(course.time_s);
  const double stated_hz = std::abs(motion->slope) / step_m;
  if (!(stated_hz > kSlowest_hz) || !(stated_hz * period_s < kFastest)) return {};
  // A mean over whole steps leaves the steps' own line as it is.
  const auto half = static_cast<std::size_t>(std::lround(2 / (stated_hz * period_s)));
  const auto smooth = moving_mean(course.force_N, half);
  if (course.time_s.size() < 2 * half + 32) return {};
  for (std::size_t i = half; i + half < smooth.size(); ++i) {
    const std::size_t to = i - half;
    course.off_N.push_back(course.force_N[i] - smooth[i]);
    course.time_s[to] = course.time_s[i];
    course.force_N[to] = smooth[i] - contact.force_bias_N;
  }
  const std::size_t rows = course.off_N.size();
  double variance = 0;
  for (const double off : course.off_N) variance += off * off / static_cast<double>(rows);
  ForceRipple ripple;
  double most = -1;
  for (int k = -kTried; k <= kTried; ++k) {
    const double rate_hz = stated_hz * (1 + kSpeedOff * k / kTried);
    const double found = std::abs(line_of(course, 0, rows, rate_hz)) +
                         std::abs(line_of(course, 0, rows, 2 * rate_hz));
    if (found > most) {
      most = found;
      ripple.rate_hz = rate_hz;
    }
  }
  const auto blocks =
      std::min(kBlocks, static_cast<std::size_t>((course.time_s[rows - 1] - course.time_s[0]) *
                                                 ripple.rate_hz / kMinCycles));
  if (blocks < 1) return {};
  std::vector<double> force_N, amplitude_N;
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t begin = b * rows / blocks, end = (b + 1) * rows / blocks;
    double mean_N = 0;
    for (std::size_t i = begin; i < end; ++i)
      mean_N += course.force_N[i] / static_cast<double>(end - begin);
    force_N.push_back(mean_N);
    amplitude_N.push_back(std::sqrt(squared(course, begin, end, ripple.rate_hz, variance)) +
                          std::sqrt(squared(course, begin, end, 2 * ripple.rate_hz, variance)));
  }
  const auto line = fit_line(force_N, amplitude_N);
  if (line) {
    ripple.constant_N = line->intercept;
    ripple.growth = line->slope;
  } else {
    for (const double amplitude : amplitude_N)
      ripple.constant_N += amplitude / static_cast<double>(blocks);
  }
  return ripple;
}

}  // namespace tactelier
