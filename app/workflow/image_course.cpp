#include "app/workflow/image_course.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/recording/press_data.hpp"
#include "fitting/response/play_fit.hpp"

namespace tactelier {
namespace {

constexpr int kLoads = 12;         // at which images are predicted, evenly up to the largest
constexpr double kLoaded = 0.98;   // of the largest force: the end of loading
constexpr double kAround_s = 0.3;  // of loading, that shows its kinks
constexpr double kScan_s = 0.1;    // of latencies, either way
constexpr double kLeastLoop_percent = 0.05;  // that a ratio is told of

/// Forces of each tactel of a course over the load, in straight pieces from 0.
class SharesOverLoad {
 public:
  static std::optional<SharesOverLoad> create(const ForwardMethod& method, StaticPress press,
                                              const ImageCourse& course, double largest_N) {
    SharesOverLoad shares(largest_N);
    shares.at_.assign(course.tactels.size(), {0.0});
    for (int k = 1; k <= kLoads; ++k) {
      press.load = {PressLoad::By::kForce, largest_N * k / kLoads, 0};
      const auto image = method.image(press);
      if (!image) return {};
      for (std::size_t i = 0; i < course.tactels.size(); ++i)
        shares.at_[i].push_back(image->force_N[course.tactels[i]]);
    }
    return shares;
  }

  double operator()(std::size_t i, double load_N) const {
    const double place = std::clamp(load_N / largest_N_, 0.0, 1.0) * kLoads;
    const auto k = std::min(static_cast<std::size_t>(place), std::size_t{kLoads - 1});
    const double part = place - static_cast<double>(k);
    return at_[i][k] + part * (at_[i][k + 1] - at_[i][k]);
  }

 private:
  explicit SharesOverLoad(double largest_N) : largest_N_(largest_N) {}
  double largest_N_;
  std::vector<std::vector<double>> at_;
};

/// The force that a tactel's reading answers to after hysteresis.
std::vector<double> answered_N(const SensorModel& model, double centre_share,
                               std::vector<double> shares_N) {
  const auto& play = model.response.hysteresis_model;
  if (play.thresholds.empty() || !(centre_share > 0)) return shares_N;
  std::vector<double> thresholds_N;
  for (const auto& threshold : play.thresholds)
    thresholds_N.push_back(threshold.value.value_or(0) * centre_share);
  const auto states = play_states(shares_N, thresholds_N);
  for (std::size_t row = 0; row < shares_N.size(); ++row) {
    shares_N[row] = 0;
    for (std::size_t k = 0; k < play.weights.size(); ++k)
      shares_N[row] += play.weights[k].value.value_or(0) *
                       states(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(k));
  }
  return shares_N;
}

/// Totals that the model expects of a course of force.
std::vector<double> expected_totals(const SensorModel& model, const TactelReadout& readout,
                                    const SharesOverLoad& shares, const ImageCourse& course,
                                    std::span<const double> force_N) {
  std::vector<double> totals(force_N.size(), 0.0);
  for (std::size_t i = 0; i < course.tactels.size(); ++i) {
    std::vector<double> of_tactel_N;
    of_tactel_N.reserve(force_N.size());
    for (const double load_N : force_N) of_tactel_N.push_back(shares(i, load_N));
    of_tactel_N = answered_N(model, readout.centre_share(), std::move(of_tactel_N));
    for (std::size_t row = 0; row < totals.size(); ++row)
      totals[row] += readout.above_rest(course.tactels[i], of_tactel_N[row]);
  }
  return totals;
}

/// Integral of totals over force, loading against unloading.
double loop_percent(std::span<const double> force_N, std::span<const double> totals) {
  double area = 0, most_N = 0, most = 0;
  for (std::size_t row = 0; row < totals.size(); ++row) {
    if (std::isnan(force_N[row]) || std::isnan(totals[row])) continue;
    most_N = std::max(most_N, force_N[row]);
    most = std::max(most, totals[row]);
    if (row == 0 || std::isnan(force_N[row - 1]) || std::isnan(totals[row - 1])) continue;
    area -= (totals[row] + totals[row - 1]) / 2 * (force_N[row] - force_N[row - 1]);
  }
  return most_N > 0 && most > 0 ? 100 * area / (most_N * most) : 0;
}

TimedSignal part_of(const TimedSignal& signal, double begin_s, double end_s) {
  TimedSignal part;
  for (std::size_t i = 0; i < signal.time_s.size(); ++i) {
    if (signal.time_s[i] < begin_s || signal.time_s[i] > end_s) continue;
    part.time_s.push_back(signal.time_s[i]);
    part.value.push_back(signal.value[i]);
  }
  return part;
}

double period_s(const TimedSignal& signal) {
  if (signal.time_s.size() < 2) return 0;
  return (signal.time_s.back() - signal.time_s.front()) /
         static_cast<double>(signal.time_s.size() - 1);
}

}  // namespace

std::optional<CourseFigures> course_figures(const SensorModel& model, const ForwardMethod& method,
                                            const TactelReadout& readout, StaticPress press,
                                            const ImageCourse& course) {
  if (course.force.time_s.size() < 2 || course.total.time_s.size() < 2) return {};
  const double frame_s = period_s(course.total), sample_s = period_s(course.force);
  const auto width = static_cast<std::size_t>(std::max(1.0, frame_s / sample_s));
  const auto force = smoothed(course.force, width);
  const double largest_N = *std::ranges::max_element(force.value);
  if (!(largest_N > 0)) return {};
  const auto shares = SharesOverLoad::create(method, std::move(press), course, largest_N);
  if (!shares) return {};

  const auto loaded =
      std::ranges::find_if(force.value, [&](double value) { return value >= kLoaded * largest_N; });
  const double loaded_s =
      force.time_s[static_cast<std::size_t>(loaded - force.value.begin())] + kAround_s;
  auto expected = part_of(force, force.time_s.front(), loaded_s);
  expected.value = expected_totals(model, readout, *shares, course, expected.value);
  const auto lag = correlate(expected, part_of(course.total, force.time_s.front(), loaded_s),
                             {-1e300, 1e300, 1e300}, kScan_s);

  CourseFigures figures;
  // Within one press a loop and a delay look alike: what the model says of the delay holds.
  const double late_s = model.timing.latency_s.value.value_or(0);
  if (lag) figures.latency_s = lag->lag_s - late_s;
  auto at_s = course.total.time_s;
  for (double& time_s : at_s) time_s -= late_s;
  const auto force_N = interpolate(force.time_s, force.value, at_s, 1e300);
  figures.measured_loop_percent = loop_percent(force_N, course.total.value);
  if (model.response.hysteresis_model.thresholds.empty()) return figures;
  std::vector<double> known_N;
  std::ranges::copy_if(force_N, std::back_inserter(known_N),
                       [](double n) { return !std::isnan(n); });
  figures.predicted_loop_percent =
      loop_percent(known_N, expected_totals(model, readout, *shares, course, known_N));
  if (std::abs(figures.measured_loop_percent) > kLeastLoop_percent)
    figures.loop_ratio = figures.predicted_loop_percent / figures.measured_loop_percent;
  return figures;
}

}  // namespace tactelier
