#include "fitting/response/lack_of_fit.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include "fitting/statistics/quantiles.hpp"
#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMaxStretches = 12;
constexpr std::size_t kMinStretches = 4;
constexpr std::size_t kReadingsEach = 3;  // of a stretch at least, of one press
constexpr double kImprobable = 0.001;
constexpr double kMaxLeverage = 0.9;

/// Errors of one press by stretch, in the order of time.
using Stretches = std::vector<std::vector<double>>;

struct Scatter {
  double squares = 0, dof = 0, products = 0;

  /// What is left of a line over the stretch's own readings.
  void add(std::span<const double> errors) {
    const auto n = static_cast<double>(errors.size());
    if (n < 3) return;
    double mean = 0, slope = 0, spread = 0;
    for (const double e : errors) mean += e / n;
    for (std::size_t i = 0; i < errors.size(); ++i) {
      const double at = static_cast<double>(i) - (n - 1) / 2;
      slope += at * (errors[i] - mean);
      spread += at * at;
    }
    slope /= spread;
    double before = 0;
    for (std::size_t i = 0; i < errors.size(); ++i) {
      const double left = errors[i] - mean - slope * (static_cast<double>(i) - (n - 1) / 2);
      squares += left * left;
      if (i > 0) products += left * before;
      before = left;
    }
    dof += n - 2;
  }
};

std::size_t stretches_for(std::span<const ResponsePress> presses, double low_N, double high_N) {
  std::size_t most = 0;
  for (const auto& press : presses)
    most = std::max(most, static_cast<std::size_t>(
                              std::count_if(press.force_N.begin(), press.force_N.end(),
                                            [&](double f) { return f >= low_N && f < high_N; })));
  return std::min(kMaxStretches, most / kReadingsEach);
}

/// Means over presses, with what they differ by beyond a line of each its own.
struct Common {
  Eigen::VectorXd error, rise, readings;  // by stretch, those with readings only
  double beyond = 0, beyond_dof = 0;      // readings times squares
};

struct Column {
  double readings = 0, rise = 0, error = 0;
};

std::vector<Column> columns_of(const ErrorBins& bins, std::size_t left_out) {
  std::vector<Column> columns(bins.stretches());
  for (std::size_t p = 0; p < bins.presses.size(); ++p)
    for (std::size_t b = 0; b < columns.size() && p != left_out; ++b) {
      const auto& bin = bins.presses[p][b];
      columns[b].readings += bin.readings;
      columns[b].rise += bin.readings * bin.rise;
      columns[b].error += bin.readings * bin.error_N;
    }
  for (auto& column : columns) {
    if (column.readings == 0) continue;
    column.rise /= column.readings;
    column.error /= column.readings;
  }
  return columns;
}

/// What a line can do: its height and slope, or the slope alone where the threshold can't move.
Eigen::Matrix2d inverse_of(const Eigen::Matrix2d& normal, bool threshold_held) {
  if (!threshold_held) return normal.inverse();
  Eigen::Matrix2d inverse = Eigen::Matrix2d::Zero();
  inverse(1, 1) = 1 / normal(1, 1);
  return inverse;
}

/// Sum of readings times squared deviations of one press from the common course and a line.
void add_beyond(const std::vector<ErrorBin>& press, const std::vector<Column>& columns,
                bool threshold_held, Common& common) {
  Eigen::Matrix2d normal = Eigen::Matrix2d::Zero();
  Eigen::Vector2d right = Eigen::Vector2d::Zero();
  double squares = 0, n = 0;
  for (std::size_t b = 0; b < columns.size(); ++b) {
    if (press[b].readings == 0) continue;
    const Eigen::Vector2d x(1, press[b].rise);
    const double off = press[b].error_N - columns[b].error;
    normal += press[b].readings * x * x.transpose();
    right += press[b].readings * off * x;
    squares += press[b].readings * off * off;
    ++n;
  }
  const double line = threshold_held ? 1 : 2;
  if (n <= line || !((threshold_held ? normal(1, 1) : normal.determinant()) > 0)) return;
  common.beyond += std::max(0.0, squares - right.dot(inverse_of(normal, threshold_held) * right));
  common.beyond_dof += n - line;
}

Common common_of(const ErrorBins& bins, std::size_t left_out, bool threshold_held) {
  const auto columns = columns_of(bins, left_out);
  Common common;
  std::vector<const Column*> used;
  for (const auto& column : columns)
    if (column.readings > 0) used.push_back(&column);
  const auto n = static_cast<Eigen::Index>(used.size());
  common.error.resize(n);
  common.rise.resize(n);
  common.readings.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto& column = *used[static_cast<std::size_t>(i)];
    common.error(i) = column.error;
    common.rise(i) = column.rise;
    common.readings(i) = column.readings;
  }
  for (const auto& press : bins.presses) add_beyond(press, columns, threshold_held, common);
  const auto presses = static_cast<double>(bins.presses.size());
  if (presses < 2) common.beyond_dof = 0;
  common.beyond_dof *= (presses - 1) / presses;  // the common course takes its part
  return common;
}

/// Of a mean over one reading.
struct Variance {
  double value_N2 = 0, dof = 1;
};

/// Noise and neighbours' dependence, or what presses show beyond them, such as each weight put down
/// anew: the larger, known as well as its own degrees of freedom say.
Variance reading_variance(const ErrorBins& bins, const Common& common) {
  const Variance by_noise{std::max(bins.noise_N * bins.noise_N * bins.dependence, 1e-300),
                          std::max(bins.noise_dof / bins.dependence, 1.0)};
  if (common.beyond_dof < 1 || common.beyond <= common.beyond_dof * by_noise.value_N2)
    return by_noise;
  return {common.beyond / common.beyond_dof, common.beyond_dof};
}

/// Rows (1, rise), or (0, rise) where the threshold can't move.
Eigen::MatrixXd design_of(const Eigen::VectorXd& rise, bool threshold_held) {
  Eigen::MatrixXd design(rise.size(), 2);
  design.col(0).setConstant(threshold_held ? 0 : 1);
  design.col(1) = rise;
  return design;
}

Eigen::VectorXd quadratic_forms(const Eigen::MatrixXd& design, const Eigen::Matrix2d& matrix) {
  return (design * matrix).cwiseProduct(design).rowwise().sum();
}

/// The factor on `per_unit` with which the errors' chi^2 is their number.
double widening(const Eigen::VectorXd& errors, const Eigen::VectorXd& noise,
                const Eigen::VectorXd& per_unit) {
  const auto chi2 = [&](double factor) {
    return (errors.array().square() / (noise + factor * per_unit).array()).sum();
  };
  const auto wanted = static_cast<double>(errors.size());
  double low = 0, high = 1;
  while (chi2(high) > wanted && high < 1e9) high *= 4;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (chi2(middle) > wanted ? low : high) = middle;
  }
  return high;
}

/// Where the others alone would put the line, against the fit of all.
Eigen::Vector2d line_of(const std::vector<Column>& columns) {
  Eigen::Matrix2d normal = Eigen::Matrix2d::Zero();
  Eigen::Vector2d right = Eigen::Vector2d::Zero();
  for (const auto& column : columns) {
    const Eigen::Vector2d x(1, column.rise);
    normal += column.readings * x * x.transpose();
    right += column.readings * column.error * x;
  }
  if (!(normal.determinant() > 0)) return Eigen::Vector2d::Zero();
  return normal.inverse() * right;
}

struct LineError {
  double force_N = 0, error_N = 0;
};
using Between = std::array<double, 2>;  // forces

/// Means of one press by stretch; `see` is shown each error and its stretch.
template <class See>
std::vector<ErrorBin> binned(const ResponsePress& press, const AffineFit& fit, Between range_N,
                             std::size_t count, const See& see) {
  std::vector<ErrorBin> own(count);
  const auto stretches = static_cast<double>(count);
  for (std::size_t i = 0; i < press.force_N.size(); ++i) {
    const double place = (press.force_N[i] - range_N[0]) / (range_N[1] - range_N[0]) * stretches;
    if (!(place >= 0 && place < stretches)) continue;
    const auto b = static_cast<std::size_t>(place);
    const double rise = press.counts[i] - press.offset_counts;
    const double error_N = fit.threshold_N + fit.gain_N_per_count * rise - press.force_N[i];
    see(b, LineError{press.force_N[i], error_N});
    auto& bin = own[b];
    bin.readings += 1;
    bin.rise += (rise - bin.rise) / bin.readings;
    bin.error_N += (error_N - bin.error_N) / bin.readings;
  }
  return own;
}

/// Of errors under one load, which differ in force by less than `same_N`.
void add_repeats(std::vector<LineError> errors, double same_N, Scatter& scatter) {
  std::sort(errors.begin(), errors.end(),
            [](const LineError& a, const LineError& b) { return a.force_N < b.force_N; });
  for (std::size_t begin = 0, end = 0; begin < errors.size(); begin = end) {
    double n = 0, mean = 0;
    for (; end < errors.size() && errors[end].force_N - errors[begin].force_N <= same_N; ++end)
      mean += (errors[end].error_N - mean) / ++n;
    for (std::size_t i = begin; i < end; ++i)
      scatter.squares += std::pow(errors[i].error_N - mean, 2);
    scatter.dof += n - 1;
  }
}

std::size_t loads_of(const ErrorBins& bins) {
  std::size_t loads = 0;
  for (std::size_t b = 0; b < bins.stretches(); ++b)
    loads += std::any_of(bins.presses.begin(), bins.presses.end(),
                         [&](const auto& press) { return press[b].readings > 0; })
                 ? 1
                 : 0;
  return loads;
}

}  // namespace

ErrorBins error_bins_at_rest(std::span<const ResponsePress> presses, const AffineFit& fit,
                             double low_N, double high_N, double u_rounding_N) {
  constexpr double kSame = 0.01;  // of the range of force
  if (!(high_N > low_N)) return {};
  ErrorBins bins;
  Scatter scatter;
  for (const auto& press : presses) {
    std::vector<LineError> errors;
    bins.presses.push_back(binned(press, fit, {low_N, high_N}, kMaxStretches,
                                  [&](std::size_t, LineError e) { errors.push_back(e); }));
    add_repeats(std::move(errors), kSame * (high_N - low_N), scatter);
  }
  if (loads_of(bins) < kMinStretches || (scatter.dof < 1 && presses.size() < 2)) return {};
  bins.noise_N = scatter.dof > 0 ? std::sqrt(scatter.squares / scatter.dof) : 0;
  bins.noise_N = std::max(bins.noise_N, u_rounding_N);
  bins.noise_dof = std::max(1.0, scatter.dof);
  return bins;
}

ErrorBins error_bins(std::span<const ResponsePress> presses, const AffineFit& fit, double low_N,
                     double high_N) {
  ErrorBins bins;
  const auto count = stretches_for(presses, low_N, high_N);
  if (count < kMinStretches || !(high_N > low_N)) return bins;
  Scatter scatter;
  for (const auto& press : presses) {
    Stretches errors(count);
    bins.presses.push_back(
        binned(press, fit, {low_N, high_N}, count,
               [&](std::size_t b, LineError e) { errors[b].push_back(e.error_N); }));
    for (const auto& stretch : errors) scatter.add(stretch);
  }
  if (scatter.dof < 1) return {};
  bins.noise_N = std::sqrt(scatter.squares / scatter.dof);
  bins.noise_dof = scatter.dof;
  const double rho = scatter.squares > 0 ? scatter.products / scatter.squares : 0;
  const double inflation = serial_inflation(std::clamp(rho, 0.0, 0.95));
  bins.dependence = inflation * inflation;
  return bins;
}

LackOfFit lack_of_fit(const ErrorBins& bins, bool threshold_held, int tests) {
  LackOfFit lack;
  if (bins.presses.empty()) return lack;
  const auto common = common_of(bins, bins.presses.size(), threshold_held);
  const auto n = static_cast<double>(common.error.size());
  const double dof = n - (threshold_held ? 1 : 2);
  if (dof < 1) return lack;
  const auto design = design_of(common.rise, threshold_held);
  const Eigen::MatrixXd weighted = common.readings.asDiagonal() * design;
  const Eigen::Matrix2d fitted = inverse_of(design.transpose() * weighted, threshold_held);
  const Eigen::ArrayXd leverage =
      common.readings.cwiseProduct(quadratic_forms(design, fitted)).array().min(kMaxLeverage);
  const Eigen::VectorXd left_out = common.error.array() / (1 - leverage);
  const auto variance = reading_variance(bins, common);
  const Eigen::VectorXd noise =
      variance.value_N2 * (common.readings.array() * (1 - leverage)).inverse().matrix();
  const double chi2 =
      (common.error.array().square() * common.readings.array()).sum() / variance.value_N2;
  lack.chi2_per_dof = chi2 / dof;
  lack.error_N = std::sqrt(common.error.squaredNorm() / n);
  if (f_survival(lack.chi2_per_dof, dof, variance.dof) > kImprobable / tests) return lack;
  const Eigen::Matrix2d even =
      inverse_of(Eigen::Matrix2d(design.transpose() * design / n), threshold_held);
  const double size = left_out.squaredNorm() / n;
  const Eigen::VectorXd per_unit = size * quadratic_forms(design, even);
  lack.covariance = widening(left_out, noise, per_unit) * size * even;
  lack.dof = dof;
  return lack;
}

int missed_presses(const ErrorBins& bins, const LackOfFit& lack, const Eigen::Matrix2d& reported) {
  constexpr double kSquared95 = 3.84;
  if (bins.presses.size() < 3) return 0;
  int misses = 0;
  const Eigen::Matrix2d covariance = reported + lack.covariance;
  for (std::size_t p = 0; p < bins.presses.size(); ++p) {
    const auto columns = columns_of(bins, p);
    const double variance = reading_variance(bins, common_of(bins, p, false)).value_N2;
    const Eigen::Vector2d others = line_of(columns);
    double squares = 0, n = 0;
    for (std::size_t b = 0; b < columns.size(); ++b) {
      const auto& bin = bins.presses[p][b];
      if (bin.readings == 0 || columns[b].readings == 0) continue;
      const Eigen::Vector2d x(1, bin.rise);
      const double expected =
          x.dot(covariance * x) + variance * (1 / bin.readings + 1 / columns[b].readings);
      squares += std::pow(bin.error_N - x.dot(others), 2) / expected;
      ++n;
    }
    misses += n > 0 && squares > kSquared95 * n ? 1 : 0;
  }
  return misses;
}

int improbable_misses(int left_out) {
  constexpr double kMiss = 0.05;
  double probability = 1, term = std::pow(1 - kMiss, left_out);  // of at least, of exactly `m`
  int m = 0;
  while (m <= left_out && probability >= kImprobable) {
    probability -= term;
    term *= static_cast<double>(left_out - m) / (m + 1) * kMiss / (1 - kMiss);
    ++m;
  }
  return m;
}

}  // namespace tactelier
