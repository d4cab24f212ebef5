#include "fitting/response/curve_fit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "fitting/response/monotone_fit.hpp"
#include "fitting/statistics/robust.hpp"
#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

constexpr int kBins = 48;
constexpr std::size_t kLeastMeans = 12;
constexpr int kSplineOrder = 3;
constexpr int kInnerKnots = 3;
constexpr int kKnots = 25;  // that a monotone curve is written by
constexpr std::size_t kMostFolds = 10;

std::size_t degree_of(CurveShape shape) { return static_cast<std::size_t>(shape) + 1; }

/// Values of the basis at one force.
class Basis {
 public:
  Basis(CurveShape shape, const CurveData& data)
      : shape_(shape), low_N_(data.low_N), high_N_(data.high_N), spline_(inner(data)) {}

  Eigen::Index size() const {
    return static_cast<Eigen::Index>(shape_ == CurveShape::kMonotone ? spline_.size() + 1
                                                                     : degree_of(shape_) + 1);
  }
  Eigen::RowVectorXd at(double force_N) const {
    Eigen::RowVectorXd row(size());
    if (shape_ == CurveShape::kMonotone) {
      const auto values = spline_(force_N);
      row(0) = 1;
      for (std::size_t i = 0; i < values.size(); ++i)
        row(static_cast<Eigen::Index>(i) + 1) = values[i];
      return row;
    }
    const double x = (2 * force_N - low_N_ - high_N_) / (high_N_ - low_N_);
    row(0) = 1;
    for (Eigen::Index i = 1; i < row.size(); ++i) row(i) = row(i - 1) * x;
    return row;
  }
  /// Coefficients of powers of the force itself.
  std::vector<double> powers(const Eigen::VectorXd& solution) const {
    const double slope = 2 / (high_N_ - low_N_), shift = -(low_N_ + high_N_) / (high_N_ - low_N_);
    std::vector<double> result{solution(solution.size() - 1)};
    for (Eigen::Index i = solution.size() - 2; i >= 0; --i) {  // Horner: result (slope F + shift)
      std::vector<double> next(result.size() + 1, 0.0);
      for (std::size_t k = 0; k < result.size(); ++k) {
        next[k] += shift * result[k];
        next[k + 1] += slope * result[k];
      }
      next[0] += solution(i);
      result = std::move(next);
    }
    return result;
  }
  bool bounded() const { return shape_ == CurveShape::kMonotone; }

 private:
  /// Knots at quantiles of the forces there are.
  static ISpline inner(const CurveData& data) {
    std::vector<double> force_N, knots;
    for (const auto& press : data.presses)
      force_N.insert(force_N.end(), press.force_N.begin(), press.force_N.end());
    for (int k = 1; k <= kInnerKnots; ++k)
      knots.push_back(quantile(force_N, static_cast<double>(k) / (kInnerKnots + 1)));
    return {kSplineOrder, knots, data.low_N, data.high_N};
  }

  CurveShape shape_;
  double low_N_, high_N_;
  ISpline spline_;
};

struct Normal {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd right;
};

Normal normal_of(const CurvePress& press, const Basis& basis) {
  Normal normal{Eigen::MatrixXd::Zero(basis.size(), basis.size()),
                Eigen::VectorXd::Zero(basis.size())};
  for (std::size_t i = 0; i < press.force_N.size(); ++i) {
    const auto row = basis.at(press.force_N[i]);
    normal.matrix += press.weight[i] * row.transpose() * row;
    normal.right += press.weight[i] * press.counts[i] * row.transpose();
  }
  return normal;
}

/// The Cholesky factor has the same least-squares solution as all rows together.
std::optional<Eigen::VectorXd> solve_normal(const Normal& normal, const Basis& basis) {
  Eigen::MatrixXd matrix = normal.matrix;
  matrix.diagonal() *= 1 + 1e-12;  // an interval without readings leaves a spline undetermined
  const Eigen::LLT<Eigen::MatrixXd> factor(matrix);
  if (factor.info() != Eigen::Success) return std::nullopt;
  if (!basis.bounded()) return factor.solve(normal.right).eval();
  const Eigen::MatrixXd upper = factor.matrixU();
  const Eigen::VectorXd right = factor.matrixL().solve(normal.right);
  auto solved = solve_nonnegative(upper, right, 1);
  if (!solved) return std::nullopt;
  return std::move(*solved);
}

double squares_of(const CurvePress& press, const Basis& basis, const Eigen::VectorXd& solution,
                  double high_N) {
  double sum = 0;
  for (std::size_t i = 0; i < press.force_N.size() && press.force_N[i] <= high_N; ++i)
    sum +=
        press.weight[i] * std::pow(press.counts[i] - basis.at(press.force_N[i]).dot(solution), 2);
  return sum;
}

/// Highest force of all presses but one: beyond it nothing can be predicted.
double reach_without_N(const CurveData& data, std::size_t left_out) {
  double reach_N = 0;
  for (std::size_t p = 0; p < data.presses.size(); ++p)
    if (p != left_out) reach_N = std::max(reach_N, data.presses[p].force_N.back());
  return reach_N;
}

void describe(const CurveData& data, const Basis& basis, const Eigen::VectorXd& solution,
              CurveFit& fit) {
  fit.rising = true;
  for (int i = 0; i < kKnots; ++i) {
    const double force_N = data.low_N + (data.high_N - data.low_N) * i / (kKnots - 1);
    const double counts = basis.at(force_N).dot(solution);
    if (i > 0 && !basis.bounded() && counts <= fit.knots.back()[1]) fit.rising = false;
    fit.knots.push_back({force_N, counts});
  }
  fit.parameters = static_cast<std::size_t>((solution.array() != 0).count());
  if (!basis.bounded()) fit.coefficients = basis.powers(solution);
}

/// sqrt of the diagonal of T C T^T, T from the basis to powers of the force, C = inverse of the
/// normal matrix; still to be multiplied by the readings' deviation.
std::vector<double> unit_deviations(const Normal& normal, const Basis& basis) {
  const auto n = basis.size();
  Eigen::MatrixXd to_powers = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(n);
    unit(k) = 1;
    const auto powers = basis.powers(unit);
    to_powers.col(k) = Eigen::Map<const Eigen::VectorXd>(powers.data(), n);
  }
  const Eigen::MatrixXd covariance =
      to_powers * normal.matrix.ldlt().solve(Eigen::MatrixXd(to_powers.transpose()));
  std::vector<double> result;
  for (Eigen::Index k = 0; k < n; ++k) result.push_back(std::sqrt(std::max(0.0, covariance(k, k))));
  return result;
}

bool fit_shape(const CurveData& data, CurveFit& fit) {
  const Basis basis(fit.shape, data);
  std::vector<Normal> normals;
  Normal all{Eigen::MatrixXd::Zero(basis.size(), basis.size()),
             Eigen::VectorXd::Zero(basis.size())};
  for (const auto& press : data.presses) {
    normals.push_back(normal_of(press, basis));
    all.matrix += normals.back().matrix;
    all.right += normals.back().right;
  }
  const auto solution = solve_normal(all, basis);
  if (!solution) return false;
  for (const auto& press : data.presses)
    fit.rss += press.scatter + squares_of(press, basis, *solution, data.high_N);
  describe(data, basis, *solution, fit);
  if (!basis.bounded()) fit.u_coefficients = unit_deviations(all, basis);
  for (std::size_t p = 0; data.presses.size() > 1 && p < std::min(kMostFolds, normals.size());
       ++p) {
    const Normal others{all.matrix - normals[p].matrix, all.right - normals[p].right};
    const auto without = solve_normal(others, basis);
    if (!without) return false;
    fit.holdout += squares_of(data.presses[p], basis, *without, reach_without_N(data, p));
  }
  return true;
}

/// Readings that tell something of their own, of the most flexible curve's residuals.
double effective_readings(const CurveData& data, const CurveFit& monotone) {
  double sum = 0;
  for (const auto& press : data.presses) {
    std::vector<double> residuals;
    double n = 0;
    for (std::size_t i = 0; i < press.force_N.size(); ++i) {
      const double place =
          (press.force_N[i] - data.low_N) / (data.high_N - data.low_N) * (kKnots - 1);
      const auto k = std::min(static_cast<std::size_t>(std::max(0.0, place)),
                              static_cast<std::size_t>(kKnots - 2));
      const double part = place - static_cast<double>(k);
      const double curve = monotone.knots[k][1] * (1 - part) + monotone.knots[k + 1][1] * part;
      residuals.push_back(press.counts[i] - curve);
      n += press.weight[i];
    }
    // Means follow each other as the readings behind them do, over longer stretches.
    sum += n * effective_count(residuals.size(), lag1(residuals)) /
           static_cast<double>(std::max<std::size_t>(1, residuals.size()));
  }
  return sum;
}

/// Of the rise above the offset where all presses have readings, against their mean.
std::vector<double> press_scales(std::span<const ResponsePress> presses, double low_N,
                                 double high_N) {
  double common_N = high_N;
  for (const auto& press : presses)
    common_N = std::min(common_N, *std::max_element(press.force_N.begin(), press.force_N.end()));
  std::vector<double> slopes;
  double mean = 0;
  for (const auto& press : presses) {
    double force = 0, rise = 0;
    for (std::size_t i = 0; i < press.force_N.size(); ++i) {
      if (press.force_N[i] < low_N || press.force_N[i] > common_N) continue;
      force += press.force_N[i];
      rise += press.counts[i] - press.offset_counts;
    }
    slopes.push_back(force > 0 && rise > 0 ? rise / force : 0);
    mean += slopes.back() / static_cast<double>(presses.size());
  }
  for (double& slope : slopes) slope = slope > 0 && mean > 0 ? slope / mean : 1;
  return slopes;
}

CurvePress means_of(const ResponsePress& press, double low_N, double high_N, double scale,
                    double offset) {
  std::array<double, kBins> n{}, force{}, counts{}, squares{};
  for (std::size_t i = 0; i < press.force_N.size(); ++i) {
    const double place = (press.force_N[i] - low_N) / (high_N - low_N) * kBins;
    if (!(place >= 0 && place < kBins)) continue;
    const auto bin = static_cast<std::size_t>(place);
    const double rise = (press.counts[i] - press.offset_counts) / scale;
    n[bin] += 1;
    force[bin] += press.force_N[i];
    counts[bin] += rise;
    squares[bin] += rise * rise;
  }
  CurvePress means;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    if (n[bin] == 0) continue;
    means.force_N.push_back(force[bin] / n[bin]);
    means.counts.push_back(offset + counts[bin] / n[bin]);
    means.weight.push_back(n[bin]);
    means.scatter += std::max(0.0, squares[bin] - counts[bin] * counts[bin] / n[bin]);
  }
  return means;
}

}  // namespace

std::string_view to_string(CurveShape shape) {
  switch (shape) {
    case CurveShape::kLine:
      return "line";
    case CurveShape::kQuadratic:
      return "quadratic";
    case CurveShape::kCubic:
      return "cubic";
    case CurveShape::kMonotone:
      return "monotone";
  }
  return {};
}

CurveData curve_data(std::span<const ResponsePress> presses, double low_N, double high_N) {
  CurveData data{low_N, high_N, 0, {}};
  for (const auto& press : presses)
    data.offset_counts += press.offset_counts / static_cast<double>(presses.size());
  const auto scales = press_scales(presses, low_N, high_N);
  for (std::size_t p = 0; p < presses.size(); ++p) {
    auto means = means_of(presses[p], low_N, high_N, scales[p], data.offset_counts);
    if (means.force_N.size() >= 2) data.presses.push_back(std::move(means));
  }
  return data;
}

double lowest_clear_N(std::span<const ResponsePress> presses, double high_N, double clear_counts) {
  constexpr int kSteps = 4 * kBins;
  std::array<double, kSteps> n{}, rise{};
  for (const auto& press : presses)
    for (std::size_t i = 0; i < press.force_N.size(); ++i) {
      const double place = press.force_N[i] / high_N * kSteps;
      if (!(place >= 0 && place < kSteps)) continue;
      n[static_cast<std::size_t>(place)] += 1;
      rise[static_cast<std::size_t>(place)] += press.counts[i] - press.offset_counts;
    }
  int step = kSteps;
  while (step > 0) {
    const auto below = static_cast<std::size_t>(step - 1);
    if (n[below] > 0 && rise[below] / n[below] < clear_counts) break;
    --step;
  }
  return high_N * step / kSteps;
}

std::optional<TactelCurves> fit_curves(const CurveData& data) {
  std::size_t means = 0;
  for (const auto& press : data.presses) means = std::max(means, press.force_N.size());
  if (means < kLeastMeans || !(data.high_N > data.low_N)) return std::nullopt;
  TactelCurves curves;
  curves.low_N = data.low_N;
  curves.high_N = data.high_N;
  for (std::size_t i = 0; i < kCurveShapes.size(); ++i) {
    curves.fits[i].shape = kCurveShapes[i];
    if (!fit_shape(data, curves.fits[i])) return std::nullopt;
  }
  for (std::size_t p = 0; p < data.presses.size(); ++p)
    for (const double n : data.presses[p].weight) {
      curves.readings += n;
      if (data.presses.size() > 1 && p < kMostFolds) curves.held_out += n;
    }
  curves.effective = effective_readings(data, curves.fits.back());
  for (auto& fit : curves.fits) {
    const double dof = std::max(1.0, curves.readings - static_cast<double>(fit.parameters));
    const double inflation = std::sqrt(curves.readings / curves.effective);
    for (double& u : fit.u_coefficients) u *= std::sqrt(fit.rss / dof) * inflation;
  }
  return curves;
}

}  // namespace tactelier
