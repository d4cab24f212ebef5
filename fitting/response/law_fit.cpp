#include "fitting/response/law_fit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "fitting/response/monotone_fit.hpp"
#include "fitting/statistics/robust.hpp"
#include "fitting/statistics/scalar_minimum.hpp"
#include "libcalib/models/response/monotone.hpp"

namespace tactelier {
namespace {

constexpr int kGrid = 25;            // shapes looked at before the search
constexpr double kTolerance = 1e-5;  // of a shape, relative

/// A law's basis, with rows as matrices want them.
class Basis {
 public:
  Basis(const ResponseLaw& law, const ForceRange& range, double shape)
      : basis_(law.basis(range, shape)) {}
  Eigen::Index size() const { return static_cast<Eigen::Index>(basis_->size()); }
  bool bounded() const { return basis_->bounded(); }
  Eigen::RowVectorXd at(double force_N) const {
    Eigen::RowVectorXd row(size());
    basis_->at(force_N, {row.data(), basis_->size()});
    return row;
  }
  ResponseSlots terms(const Eigen::VectorXd& weights, std::optional<double> rest_counts) const {
    return basis_->terms({weights.data(), basis_->size()}, rest_counts);
  }

 private:
  std::unique_ptr<ResponseBasis> basis_;
};

/// Of weighted least squares; `squares`: of the counts themselves.
struct Normal {
  explicit Normal(Eigen::Index n)
      : matrix(Eigen::MatrixXd::Zero(n, n)), right(Eigen::VectorXd::Zero(n)) {}
  Eigen::MatrixXd matrix;
  Eigen::VectorXd right;
  double squares = 0;
};

Normal normal_of(const CurvePress& press, const Basis& basis) {
  Normal normal(basis.size());
  for (std::size_t i = 0; i < press.force_N.size(); ++i) {
    const auto row = basis.at(press.force_N[i]);
    normal.matrix += press.weight[i] * row.transpose() * row;
    normal.right += press.weight[i] * press.counts[i] * row.transpose();
    normal.squares += press.weight[i] * press.counts[i] * press.counts[i];
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

/// A law of one shape, with the normal equations of each press and of all together.
struct LawAt {
  LawAt(const CurveData& data, const ForceRange& range, const ResponseLaw& law, double shape)
      : basis(law, range, shape), all(basis.size()) {
    for (const auto& press : data.presses) {
      presses.push_back(normal_of(press, basis));
      all.matrix += presses.back().matrix;
      all.right += presses.back().right;
      all.squares += presses.back().squares;
    }
  }
  /// Of all presses but one; of all for kAll.
  Normal without(std::size_t left_out) const {
    Normal others = all;
    if (left_out == kAll) return others;
    others.matrix -= presses[left_out].matrix;
    others.right -= presses[left_out].right;
    others.squares -= presses[left_out].squares;
    return others;
  }
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

  Basis basis;
  std::vector<Normal> presses;
  Normal all;
};

/// The shape that describes all presses but one best. `near`: the shape of all presses; 0: searched
/// over the law's whole range.
double best_shape(const CurveData& data, const ForceRange& range, const ResponseLaw& law,
                  std::size_t left_out, double near) {
  const auto shapes = law.shapes(range);
  if (!shapes) return 0;
  const auto cost = [&](double log_shape) {
    const LawAt at(data, range, law, std::exp(log_shape));
    const auto normal = at.without(left_out);
    const auto weights = solve_normal(normal, at.basis);
    if (!weights) return std::numeric_limits<double>::max();
    return normal.squares - 2 * weights->dot(normal.right) + weights->dot(normal.matrix * *weights);
  };
  const double low = std::log((*shapes)[0]), high = std::log((*shapes)[1]);
  if (near == 0) return std::exp(minimize_on_grid(cost, low, high, kGrid, kTolerance).x);
  const double middle = std::log(near);
  return std::exp(
      minimize_bounded(cost, std::max(low, middle - 1), std::min(high, middle + 1), kTolerance).x);
}

/// A shape at its range's end is none: another law says it better.
bool inside(const ResponseLaw& law, const ForceRange& range, double shape) {
  const auto shapes = law.shapes(range);
  return !shapes || (shape > 1.02 * (*shapes)[0] && shape < (*shapes)[1] / 1.02);
}

void describe(const ForceRange& range, const Basis& basis, const Eigen::VectorXd& solution,
              CurveFit& fit) {
  for (int i = 0; i < kCurveKnots; ++i) {
    const double force_N = curve_knot_N(range, i);
    const double counts = basis.at(force_N).dot(solution);
    if (i > 0 && !basis.bounded() && counts <= fit.knots.back()[1]) fit.rising = false;
    fit.knots.push_back({force_N, counts});
  }
  fit.functions = static_cast<std::size_t>(basis.size());
  fit.parameters = static_cast<std::size_t>((solution.array() != 0).count());
}

/// d counts/d shape at one force, from the weights' functions to either side.
double slope_of_shape(const ResponseLaw& law, const ForceRange& range, double shape,
                      const Eigen::VectorXd& weights, double force_N) {
  constexpr double kStep = 1e-4;  // of the shape
  const double above = Basis(law, range, shape * (1 + kStep)).at(force_N).dot(weights);
  const double below = Basis(law, range, shape * (1 - kStep)).at(force_N).dot(weights);
  return (above - below) / (2 * kStep * shape);
}

/// Normal matrix of the weights and, last, of the shape.
Eigen::MatrixXd with_shape(const CurveData& data, const ForceRange& range, const ResponseLaw& law,
                           double shape, const Basis& basis, const Eigen::VectorXd& weights) {
  const auto n = basis.size();
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n + 1, n + 1);
  Eigen::RowVectorXd row(n + 1);
  for (const auto& press : data.presses)
    for (std::size_t i = 0; i < press.force_N.size(); ++i) {
      row << basis.at(press.force_N[i]),
          slope_of_shape(law, range, shape, weights, press.force_N[i]);
      matrix += press.weight[i] * row.transpose() * row;
    }
  return matrix;
}

/// Inverse of a normal matrix over the weights that are not held at zero, and a shape.
Eigen::MatrixXd inverse_of_free(const Eigen::MatrixXd& normal, const Eigen::VectorXd& weights) {
  std::vector<Eigen::Index> free;
  for (Eigen::Index k = 0; k < normal.rows(); ++k)
    if (k >= weights.size() || weights(k) != 0) free.push_back(k);
  const Eigen::MatrixXd inner = normal(free, free);
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Zero(normal.rows(), normal.cols());
  const Eigen::MatrixXd solved =
      inner.ldlt().solve(Eigen::MatrixXd::Identity(inner.rows(), inner.cols()));
  inverse(free, free) = solved;
  return inverse;
}

/// A shape is its own coefficient.
Eigen::MatrixXd coefficients_from(const Basis& basis, Eigen::Index unknowns) {
  Eigen::MatrixXd map = Eigen::MatrixXd::Identity(unknowns, unknowns);
  for (Eigen::Index k = 0; k < basis.size(); ++k) {
    const auto terms = basis.terms(Eigen::VectorXd::Unit(basis.size(), k), {});
    map.col(k).head(basis.size()) =
        Eigen::Map<const Eigen::VectorXd>(terms.coefficients.data(), basis.size());
  }
  return map;
}

/// Of each part by the others; false where they don't determine the law.
bool leave_out(const CurveData& whole, const ForceRange& range, double shape, CurveFit& fit) {
  auto data = whole;
  data.presses = whole.parts();
  const std::size_t folds = data.presses.size() > 1 ? std::min(kMaxFolds, data.presses.size()) : 0;
  std::optional<LawAt> at;
  for (std::size_t p = 0; p < folds; ++p) {
    if (!at || shape != 0)
      at.emplace(data, range, *fit.law, best_shape(data, range, *fit.law, p, shape));
    const auto without = solve_normal(at->without(p), at->basis);
    if (!without) return false;
    fit.holdout += squares_of(data.presses[p], at->basis, *without, reach_without_N(data, p));
  }
  return true;
}

}  // namespace

std::optional<CurveFit> fit_law(const CurveData& data, const ForceRange& range,
                                const ResponseLaw& law, std::optional<double> rest_counts) {
  const double shape = best_shape(data, range, law, LawAt::kAll, 0);
  const LawAt at(data, range, law, shape);
  const auto solution = solve_normal(at.all, at.basis);
  if (!solution) return std::nullopt;
  CurveFit fit;
  fit.law = &law;
  fit.rising = inside(law, range, shape);
  for (const auto& press : data.presses)
    fit.rss += press.scatter + squares_of(press, at.basis, *solution, data.high_N);
  describe(range, at.basis, *solution, fit);
  fit.terms = at.basis.terms(*solution, rest_counts);
  const bool shaped = law.shapes(range).has_value();
  if (shaped) ++fit.parameters;
  fit.weights = *solution;
  fit.shape = shape;
  fit.covariance = inverse_of_free(
      shaped ? with_shape(data, range, law, shape, at.basis, *solution) : at.all.matrix, *solution);
  if (!fit.terms.coefficients.empty())
    fit.to_coefficients = coefficients_from(at.basis, fit.covariance.rows());
  if (!leave_out(data, range, shape, fit)) return std::nullopt;
  return fit;
}

CurveSlope slope_at(const CurveFit& fit, const ForceRange& range, double force_N) {
  constexpr double kStep = 1e-4;  // of the highest force
  const Basis basis(*fit.law, range, fit.shape);
  const double below_N = std::max(0.0, force_N - kStep * range.high_N);
  const double above_N = force_N + kStep * range.high_N;
  CurveSlope slope;
  slope.counts = basis.at(force_N).dot(fit.weights);
  slope.counts_per_N =
      (basis.at(above_N) - basis.at(below_N)).dot(fit.weights) / (above_N - below_N);
  slope.by_weight.resize(fit.covariance.rows());
  slope.by_weight.head(basis.size()) = basis.at(force_N);
  if (fit.covariance.rows() > basis.size())
    slope.by_weight(basis.size()) =
        slope_of_shape(*fit.law, range, fit.shape, fit.weights, force_N);
  return slope;
}

}  // namespace tactelier
