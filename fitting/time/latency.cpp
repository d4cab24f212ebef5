#include "fitting/time/latency.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "fitting/recording/press_data.hpp"
#include "fitting/statistics/condition.hpp"
#include "fitting/statistics/robust.hpp"
#include "fitting/statistics/scalar_minimum.hpp"
#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

constexpr double kScanStep_s = 1e-3;
constexpr int kMostSteps = 250;  // each way: longer scans go in longer steps
constexpr double kMinCorrelation = 0.95;
constexpr std::size_t kMinSamples = 12;
constexpr double kMoving = 0.2;  // share of the typical rate below which a sample stands
constexpr int kMinEachWay = 5;
constexpr double kClearly = 2;  // standard errors

tl::unexpected<Error> nothing_moves() {
  return fail(ErrorCode::kUnidentifiable,
              "TA-07 No moving press in this record: latency needs dF/dt other than 0.");
}

std::vector<double> force_at(const TimedSignal& force, const std::vector<double>& time_s,
                             double lag_s, double max_gap_s) {
  std::vector<double> at(time_s);
  for (double& t : at) t -= lag_s;
  return interpolate(force.time_s, force.value, at, max_gap_s);
}

double correlation(const std::vector<double>& x, const std::vector<double>& y,
                   const LatencyMask& mask) {
  double n = 0, mx = 0, my = 0, sxx = 0, syy = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(x[i] > mask.min_force_N) || !(y[i] < mask.max_counts)) continue;
    n += 1;
    const double dx = x[i] - mx, dy = y[i] - my;
    mx += dx / n;
    my += dy / n;
    sxx += dx * (x[i] - mx);
    syy += dy * (y[i] - my);
    sxy += dx * (y[i] - my);
  }
  return n < static_cast<double>(kMinSamples) || sxx <= 0 || syy <= 0 ? -1
                                                                      : sxy / std::sqrt(sxx * syy);
}

/// The rows of one fit and what stays the same while the lag is sought.
struct Problem {
  const TimedSignal& force;
  TimedSignal counts;  // masked
  double max_gap_s;
  int degree;
  double scale_N;

  Eigen::MatrixXd design(double lag_s) const {
    const auto f = force_at(force, counts.time_s, lag_s, max_gap_s);
    Eigen::MatrixXd columns(static_cast<Eigen::Index>(f.size()), degree + 1);
    for (Eigen::Index i = 0; i < columns.rows(); ++i) {
      columns(i, 0) = 1;
      for (int d = 1; d <= degree; ++d)
        columns(i, d) = columns(i, d - 1) * f[static_cast<std::size_t>(i)] / scale_N;
    }
    return columns;
  }
  Eigen::Map<const Eigen::VectorXd> y() const {
    return {counts.value.data(), static_cast<Eigen::Index>(counts.value.size())};
  }
  Eigen::VectorXd solve(const Eigen::MatrixXd& columns) const {
    return columns.colPivHouseholderQr().solve(y());
  }
  double misfit(double lag_s) const {
    const auto columns = design(lag_s);
    return (y() - columns * solve(columns)).squaredNorm();
  }
};

/// Rates of force by differences over 2 `half_s`.
struct Rates {
  std::vector<double> N_per_s;
  double rms = 0;
  double noise = 0;  // what force noise adds, from second differences
};

Rates rates_over(const TimedSignal& force, const std::vector<double>& time_s, double lag_s,
                 double max_gap_s, double half_s) {
  const auto before = force_at(force, time_s, lag_s + half_s, max_gap_s);
  const auto at = force_at(force, time_s, lag_s, max_gap_s);
  const auto after = force_at(force, time_s, lag_s - half_s, max_gap_s);
  Rates rates;
  std::vector<double> bends;
  double squares = 0;
  for (std::size_t i = 0; i < time_s.size(); ++i) {
    rates.N_per_s.push_back((after[i] - before[i]) / (2 * half_s));
    if (std::isnan(rates.N_per_s.back()) || std::isnan(at[i])) continue;
    bends.push_back(after[i] - 2 * at[i] + before[i]);
    squares += rates.N_per_s.back() * rates.N_per_s.back();
  }
  if (bends.empty()) return rates;
  rates.rms = std::sqrt(squares / static_cast<double>(bends.size()));
  rates.noise = mad_sigma(bends) / std::sqrt(3.0) / (2 * half_s);
  return rates;
}

/// Over as short a time as noise allows, so that slow ramps show their rate and chirps keep theirs.
std::vector<double> rates_at(const TimedSignal& force, const std::vector<double>& time_s,
                             double lag_s, double max_gap_s) {
  constexpr double kNoiseShare = 0.1;
  constexpr double kLongest_s = 0.2;
  double half_s = 0.5 * median_interval(time_s);
  for (;; half_s *= 2) {
    auto rates = rates_over(force, time_s, lag_s, max_gap_s, half_s);
    if (rates.noise < kNoiseShare * rates.rms || half_s > kLongest_s || !(half_s > 0))
      return std::move(rates.N_per_s);
  }
}

}  // namespace

TimedSignal smoothed(const TimedSignal& signal, std::size_t width) {
  const std::size_t half = width / 2;
  const std::size_t n = signal.value.size();
  std::vector<double> sums(n + 1, 0.0);
  for (std::size_t i = 0; i < n; ++i) sums[i + 1] = sums[i] + signal.value[i];
  TimedSignal smooth{signal.time_s, std::vector<double>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t reach = std::min({half, i, n - 1 - i});
    smooth.value[i] = (sums[i + reach + 1] - sums[i - reach]) / static_cast<double>(2 * reach + 1);
  }
  return smooth;
}

Result<CorrelationLag> correlate(const TimedSignal& force, const TimedSignal& counts,
                                 const LatencyMask& mask, double scan_s) {
  const double step_s = std::max(kScanStep_s, scan_s / kMostSteps);
  const auto steps = static_cast<int>(std::lround(scan_s / step_s));
  std::vector<double> r;
  for (int i = -steps; i <= steps; ++i)
    r.push_back(correlation(force_at(force, counts.time_s, i * step_s, mask.max_gap_s),
                            counts.value, mask));
  const auto best = std::max_element(r.begin(), r.end());
  if (*best == -1) return nothing_moves();
  if (*best < kMinCorrelation)
    return fail(
        ErrorCode::kUnidentifiable,
        "TA-04 Tactile and force do not follow each other (r = {:.3f}); latency not estimated.",
        *best);
  if (best == r.begin() || best == r.end() - 1)
    return fail(ErrorCode::kUnidentifiable,
                "TA-05 Latency is outside +-{:.0f} ms: check the clocks.", 1e3 * scan_s);
  const double grid_s = (static_cast<double>(best - r.begin()) - steps) * step_s;
  const double before = *(best - 1), after = *(best + 1);
  const double part = 0.5 * (before - after) / (before - 2 * *best + after);
  return CorrelationLag{grid_s, grid_s + part * step_s, *best};
}

Result<LatencyFit> fit_latency(const TimedSignal& force, const TimedSignal& counts,
                               const LatencyMask& mask, double start_s, int degree, bool both_ways,
                               double reach_s) {
  const auto first = force_at(force, counts.time_s, start_s, mask.max_gap_s);
  const auto far = force_at(force, counts.time_s, start_s + reach_s, mask.max_gap_s);
  const auto near = force_at(force, counts.time_s, start_s - reach_s, mask.max_gap_s);
  const auto rates = rates_at(force, counts.time_s, start_s, mask.max_gap_s);
  const auto usable = [&](std::size_t i) {
    return first[i] > mask.min_force_N && counts.value[i] < mask.max_counts &&
           !std::isnan(far[i]) && !std::isnan(near[i]) && !std::isnan(rates[i]);
  };
  double squares = 0, n = 0;
  for (std::size_t i = 0; i < first.size(); ++i)
    if (usable(i)) {
      squares += rates[i] * rates[i];
      n += 1;
    }
  const double least = n > 0 ? kMoving * std::sqrt(squares / n) : 0;
  Problem problem{force, {}, mask.max_gap_s, degree, 1};
  LatencyFit fit;
  double sum_rate = 0, sum_square = 0;
  int up = 0, down = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (!usable(i) || (both_ways && std::abs(rates[i]) < least)) continue;
    problem.counts.time_s.push_back(counts.time_s[i]);
    problem.counts.value.push_back(counts.value[i]);
    problem.scale_N = std::max(problem.scale_N, std::abs(first[i]));
    sum_rate += std::abs(rates[i]);
    sum_square += rates[i] * rates[i];
    (rates[i] > 0 ? up : down) += 1;
  }
  fit.samples = problem.counts.value.size();
  if (fit.samples < kMinSamples || (both_ways && std::min(up, down) < kMinEachWay) || sum_rate <= 0)
    return nothing_moves();
  const auto best = minimize_on_grid([&](double lag_s) { return problem.misfit(lag_s); },
                                     start_s - reach_s, start_s + reach_s, 21, 1e-7);
  if (std::abs(best.x - start_s) > 0.99 * reach_s)
    return fail(ErrorCode::kUnidentifiable,
                "TA-05 Latency is outside {:.0f} +- {:.0f} ms: check the clocks.", 1e3 * start_s,
                1e3 * reach_s);
  fit.lag_s = best.x;
  fit.rate_N_per_s = sum_square / sum_rate;
  const auto columns = problem.design(best.x);
  const Eigen::VectorXd solution = problem.solve(columns);
  const Eigen::VectorXd residual = problem.y() - columns * solution;
  fit.intercept = solution(0);
  fit.slope = solution(1) / problem.scale_N;
  fit.rms_counts = std::sqrt(residual.squaredNorm() / static_cast<double>(fit.samples));
  // d residual / d lag by a difference of a tenth of a millisecond either way.
  constexpr double kNudge_s = 1e-4;
  Eigen::MatrixXd jacobian(columns.rows(), columns.cols() + 1);
  jacobian.leftCols(columns.cols()) = columns;
  jacobian.rightCols(1) = (problem.design(best.x + kNudge_s) - problem.design(best.x - kNudge_s)) *
                          solution / (2 * kNudge_s);
  const Eigen::MatrixXd covariance = covariance_from(jacobian);
  const double dof = static_cast<double>(fit.samples) - static_cast<double>(jacobian.cols());
  if (covariance.size() == 0 || dof < 1) return nothing_moves();
  const double rho = lag1({residual.data(), fit.samples});
  fit.u_lag_s = std::sqrt(residual.squaredNorm() / dof *
                          covariance(covariance.rows() - 1, covariance.cols() - 1)) *
                serial_inflation(rho);
  return fit;
}

Result<LatencyOverRates> combine_lags(std::span<const PressLag> presses) {
  constexpr double kRateFactor = 4;
  constexpr std::size_t kMinPresses = 4, kNotByOne = 10;
  LatencyOverRates over;
  if (!presses.empty()) {
    std::vector<double> rates;
    for (const auto& press : presses) rates.push_back(press.rate_N_per_s);
    std::sort(rates.begin(), rates.end());
    // A single press that went otherwise shows nothing: by it alone 41 ms were found for none.
    const std::size_t apart = presses.size() / kNotByOne;
    over.slowest = rates[apart];
    over.fastest = rates[rates.size() - 1 - apart];
  }
  if (presses.size() < kMinPresses || over.fastest < kRateFactor * over.slowest)
    return fail(ErrorCode::kUnidentifiable,
                "TA-06 {} presses that load and unload, {:.3g} to {:.3g} N/s: a latency and a "
                "hysteresis look the same until rates differ by a factor {:.0f} (protocol P5: "
                "ramps at several speeds)",
                presses.size(), over.slowest, over.fastest, kRateFactor);
  const auto n = static_cast<Eigen::Index>(presses.size());
  Eigen::MatrixXd design(n, 2);
  Eigen::VectorXd y(n), own(n);  // N
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto& press = presses[static_cast<std::size_t>(i)];
    design.row(i) << press.rate_N_per_s, 1;
    y(i) = press.lag_s * press.rate_N_per_s;
    own(i) = press.u_lag_s * press.rate_N_per_s;
  }
  over.dof = static_cast<double>(n - 2);
  Eigen::Vector2d solution;
  Eigen::Matrix2d covariance;
  const auto chi2 = [&](double scatter) {
    const Eigen::VectorXd weight =
        (own.array().square() + scatter * scatter).cwiseMax(1e-18).cwiseInverse();
    const Eigen::Matrix2d normal = design.transpose() * weight.asDiagonal() * design;
    covariance = normal.inverse();
    solution = covariance * design.transpose() * weight.asDiagonal() * y;
    return (y - design * solution).array().square().matrix().dot(weight);
  };
  // Mandel and Paule: the scatter between presses that makes chi2 what it should be.
  double low = 0, high = y.cwiseAbs().maxCoeff() + 1e-9;
  if (chi2(0) > over.dof) {
    for (int step = 0; step < 60; ++step) {
      over.scatter_N = 0.5 * (low + high);
      (chi2(over.scatter_N) > over.dof ? low : high) = over.scatter_N;
    }
  }
  chi2(over.scatter_N);
  over.latency_s = solution(0);
  over.hysteresis_N = solution(1);
  over.u_latency_s = std::sqrt(covariance(0, 0));
  over.u_hysteresis_N = std::sqrt(covariance(1, 1));
  if (over.hysteresis_N < -kClearly * over.u_hysteresis_N)
    return fail(ErrorCode::kUnidentifiable,
                "TA-06 Slow presses are less late than fast ones by {:.3g} +- {:.2g} mN over the "
                "rate, which no hysteresis does: {:.3g} ms is no latency (protocol P5: ramps at "
                "several speeds on one tactel)",
                -1e3 * over.hysteresis_N, 2e3 * over.u_hysteresis_N, 1e3 * over.latency_s);
  return over;
}

}  // namespace tactelier
