#include "app/workflow/recorded_course.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fitting/recording/stream_reader.hpp"

namespace tactelier {
namespace {

constexpr double kReach_s = 30;      // from the rest under load, either way
constexpr double kAir_s = 0.5;       // before the touch and after lift-off
constexpr double kUntouched = 0.02;  // of the largest force
constexpr std::size_t kFewest = 20;  // samples of air that tare
constexpr double kQuiet_s = 0.02;    // over which the force is averaged to tell touch and crest

/// Noise and spikes of the force sensor are no touch.
TimedSignal quiet(const TimedSignal& force) {
  if (force.time_s.size() < 2) return force;
  const double sample_s =
      (force.time_s.back() - force.time_s.front()) / static_cast<double>(force.time_s.size() - 1);
  return smoothed(force, static_cast<std::size_t>(std::max(1.0, kQuiet_s / sample_s)));
}

struct Stretch {
  double touch_s = 0, lift_s = 0;
};

/// Around the rest under load, as long as the force stays above a little.
std::optional<Stretch> touched(const TimedSignal& force, const ImagePress& press, double air_N) {
  double largest_N = 0;
  for (std::size_t i = 0; i < force.time_s.size(); ++i)
    if (force.time_s[i] >= press.begin_s && force.time_s[i] <= press.end_s)
      largest_N = std::max(largest_N, force.value[i] - air_N);
  if (!(largest_N > 0)) return {};
  const double level_N = air_N + kUntouched * largest_N;
  std::optional<double> touch_s, lift_s;
  for (std::size_t i = 0; i < force.time_s.size(); ++i) {
    if (force.value[i] >= level_N) continue;
    if (force.time_s[i] < press.begin_s) touch_s = force.time_s[i];
    if (force.time_s[i] > press.end_s && !lift_s) lift_s = force.time_s[i];
  }
  if (!touch_s || !lift_s) return {};
  return Stretch{*touch_s, *lift_s};
}

/// Cut to a range, less its mean before `touch_s`; empty with too little air there.
std::optional<TimedSignal> tared(const TimedSignal& signal, TimeRange range, double touch_s) {
  TimedSignal cut;
  double air = 0;
  std::size_t samples = 0;
  for (std::size_t i = 0; i < signal.time_s.size(); ++i) {
    if (signal.time_s[i] < range.begin_s || signal.time_s[i] > range.end_s) continue;
    cut.time_s.push_back(signal.time_s[i]);
    cut.value.push_back(signal.value[i]);
    if (signal.time_s[i] >= touch_s) continue;
    air += signal.value[i];
    ++samples;
  }
  if (samples < kFewest) return {};
  for (double& value : cut.value) value -= air / static_cast<double>(samples);
  return cut;
}

TimedSignal whole(const std::vector<double>& time_s, const std::vector<double>& values) {
  TimedSignal signal;
  for (std::size_t i = 0; i < time_s.size(); ++i) {
    if (std::isnan(values[i])) continue;
    signal.time_s.push_back(time_s[i]);
    signal.value.push_back(values[i]);
  }
  return signal;
}

}  // namespace

Result<std::optional<ImageCourse>> recorded_course(const Session& session,
                                                   const SessionClocks& clocks,
                                                   const ImagePress& press, TimeRange neighbours,
                                                   const TactelReadout& readout, const Job& job) {
  const TimeRange around{std::max(neighbours.begin_s, press.begin_s - kReach_s),
                         std::min(neighbours.end_s, press.end_s + kReach_s)};
  const auto read_force = StreamReader{session, clocks, around, false, job}.force();
  if (!read_force) return fail(read_force.error());
  const std::optional<ImageCourse> none;
  if (!read_force->there()) return none;
  const auto force = whole(read_force->samples.time_s, read_force->samples.columns[0]);
  if (force.value.empty()) return none;
  const auto calm = quiet(force);
  const auto stretch =
      touched(calm, press, *std::min_element(calm.value.begin(), calm.value.end()));
  if (!stretch) return none;
  const TimeRange range{stretch->touch_s - kAir_s, stretch->lift_s + kAir_s};

  std::vector<int> tactels(static_cast<std::size_t>(session.metadata().sensor.tactels()));
  std::iota(tactels.begin(), tactels.end(), 0);
  const auto readings = StreamReader{session, clocks, range, false, job}.tactile(tactels);
  if (!readings) return fail(readings.error());
  ImageCourse course;
  std::vector<double> totals(readings->samples.rows(), 0.0);
  for (std::size_t i = 0; i < readings->samples.columns.size(); ++i) {
    const auto& column = readings->samples.columns[i];
    const bool gaps = std::ranges::any_of(column, [](double value) { return std::isnan(value); });
    if (!readout.known(i) || gaps) continue;
    course.tactels.push_back(i);
    for (std::size_t row = 0; row < totals.size(); ++row)
      totals[row] += readout.above_rest_of(i, column[row]);
  }
  auto tared_force = tared(force, range, stretch->touch_s);
  auto tared_total = tared(whole(readings->samples.time_s, totals), range, stretch->touch_s);
  if (!tared_force || !tared_total || course.tactels.empty()) return none;
  course.force = std::move(*tared_force);
  course.total = std::move(*tared_total);
  return std::optional(std::move(course));
}

double crest_N(const ImageCourse& course, double until_s) {
  const auto calm = quiet(course.force);
  double most_N = 0;
  for (std::size_t i = 0; i < calm.time_s.size() && calm.time_s[i] <= until_s; ++i)
    most_N = std::max(most_N, calm.value[i]);
  return most_N;
}

}  // namespace tactelier
