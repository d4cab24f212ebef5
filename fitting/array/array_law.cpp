#include "fitting/array/array_law.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

namespace tactelier {
namespace {

// In shares of the mean information of a tactel.
constexpr std::array kRidges{0.0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1};
constexpr double kBetter = 0.95;  // of the left-out sum of squares: else the smaller ridge
constexpr double kSingular = 1e-12;

/// Sums of one press, or of several: everything least squares needs.
struct Sums {
  Eigen::MatrixXd xx;  // with a column of ones at the end
  Eigen::VectorXd xf;
  double rows = 0;

  explicit Sums(Eigen::Index columns)
      : xx(Eigen::MatrixXd::Zero(columns, columns)), xf(Eigen::VectorXd::Zero(columns)) {}

  Sums& operator+=(const Sums& other) {
    xx += other.xx;
    xf += other.xf;
    rows += other.rows;
    return *this;
  }
  Sums operator-(const Sums& other) const {
    Sums rest = *this;
    rest.xx -= other.xx;
    rest.xf -= other.xf;
    rest.rows -= other.rows;
    return rest;
  }
};

/// Means that readings are taken from, so that sums of squares keep their digits.
struct Scaling {
  Eigen::RowVectorXd mean, spread;  // per tactel; spread 1 where it never changes
  std::vector<bool> moves;
};

Scaling scaling_of(std::span<const ArrayPress> presses) {
  const auto tactels = presses.front().readings.cols();
  Scaling scaling{Eigen::RowVectorXd::Zero(tactels), Eigen::RowVectorXd::Zero(tactels), {}};
  double rows = 0;
  for (const auto& press : presses) {
    scaling.mean += press.readings.colwise().sum();
    rows += static_cast<double>(press.readings.rows());
  }
  scaling.mean /= rows;
  for (const auto& press : presses)
    scaling.spread += (press.readings.rowwise() - scaling.mean).colwise().squaredNorm();
  scaling.spread = (scaling.spread / rows).cwiseSqrt();
  for (auto& spread : scaling.spread) {
    scaling.moves.push_back(spread > 0);
    if (!(spread > 0)) spread = 1;
  }
  return scaling;
}

Eigen::MatrixXd scaled(const ArrayPress& press, const Scaling& scaling) {
  Eigen::MatrixXd x(press.readings.rows(), press.readings.cols() + 1);
  x.leftCols(press.readings.cols()) =
      (press.readings.rowwise() - scaling.mean).array().rowwise() / scaling.spread.array();
  x.rightCols(1).setOnes();
  return x;
}

Sums sums_of(const ArrayPress& press, const Scaling& scaling) {
  const auto x = scaled(press, scaling);
  Sums sums(x.cols());
  sums.xx = x.transpose() * x;
  sums.xf = x.transpose() * press.force_N;
  sums.rows = static_cast<double>(x.rows());
  return sums;
}

/// The intercept bears no ridge.
Eigen::VectorXd solve(const Sums& sums, double ridge) {
  Eigen::MatrixXd information = sums.xx;
  const auto tactels = information.cols() - 1;
  information.diagonal().head(tactels).array() += std::max(ridge, kSingular) * sums.rows;
  return information.ldlt().solve(sums.xf);
}

std::vector<Eigen::VectorXd> left_out_errors(std::span<const ArrayPress> presses,
                                             std::span<const Sums> each, const Sums& all,
                                             const Scaling& scaling, double ridge) {
  std::vector<Eigen::VectorXd> errors;
  for (std::size_t p = 0; p < presses.size(); ++p)
    errors.emplace_back(scaled(presses[p], scaling) * solve(all - each[p], ridge) -
                        presses[p].force_N);
  return errors;
}

double sum_of_squares(std::span<const Eigen::VectorXd> errors) {
  double sum = 0;
  for (const auto& error : errors) sum += error.squaredNorm();
  return sum;
}

struct ErrorParts {
  double constant2 = 0, share2 = 0;  // error^2 = constant2 + share2 F^2
};

/// By least squares over the squared errors, each weighted by how much it scatters where it is as
/// large as `at` says; neither part below 0.
ErrorParts parts_of(std::span<const ArrayPress> presses, std::span<const Eigen::VectorXd> errors,
                    const ErrorParts& at) {
  double n = 0, s = 0, ss = 0, e = 0, es = 0;
  for (std::size_t p = 0; p < presses.size(); ++p) {
    const Eigen::ArrayXd f2 = presses[p].force_N.array().square();
    const Eigen::ArrayXd e2 = errors[p].array().square();
    const Eigen::ArrayXd weight = (at.constant2 + at.share2 * f2).square().inverse();
    n += weight.sum();
    s += (weight * f2).sum();
    ss += (weight * f2.square()).sum();
    e += (weight * e2).sum();
    es += (weight * e2 * f2).sum();
  }
  const double determinant = n * ss - s * s;
  ErrorParts parts{e / n, 0};
  if (!(determinant > 1e-12 * n * ss)) return parts;
  parts = {(e * ss - es * s) / determinant, (n * es - s * e) / determinant};
  if (parts.constant2 < 0) return {0, es / ss};
  if (parts.share2 < 0) return {e / n, 0};
  return parts;
}

void split_error(std::span<const ArrayPress> presses, std::span<const Eigen::VectorXd> errors,
                 ArrayFit& fit) {
  constexpr int kRounds = 10;
  const double mean2 = fit.left_out_rms_N * fit.left_out_rms_N;
  const double least2 = 1e-6 * mean2 + 1e-30;  // where a row weighs as much as one can
  ErrorParts parts{mean2 + least2, 0};
  for (int round = 0; round < kRounds; ++round) {
    parts = parts_of(presses, errors, parts);
    parts.constant2 = std::max(parts.constant2, least2);
  }
  fit.error_N = std::sqrt(parts.constant2);
  fit.error_share = std::sqrt(parts.share2);
}

ArrayLaw in_counts(const Eigen::VectorXd& solution, const Scaling& scaling, double ridge) {
  const auto tactels = scaling.mean.size();
  ArrayLaw law;
  law.ridge = ridge;
  law.weight_N_per_count = solution.head(tactels).cwiseQuotient(scaling.spread.transpose());
  for (Eigen::Index t = 0; t < tactels; ++t)
    if (!scaling.moves[static_cast<std::size_t>(t)]) law.weight_N_per_count(t) = 0;
  law.intercept_N = solution(tactels) - law.weight_N_per_count.dot(scaling.mean.transpose());
  return law;
}

double spread_of_force(std::span<const ArrayPress> presses) {
  double n = 0, sum = 0, squares = 0;
  for (const auto& press : presses) {
    n += static_cast<double>(press.force_N.size());
    sum += press.force_N.sum();
    squares += press.force_N.squaredNorm();
  }
  return std::sqrt(std::max(0.0, squares / n - sum / n * (sum / n)));
}

}  // namespace

std::vector<ArrayPress> grouped(std::vector<ArrayPress> presses, std::size_t most) {
  if (presses.size() <= most) return presses;
  std::vector<ArrayPress> groups(most);
  for (std::size_t g = 0; g < most; ++g) {
    const std::size_t begin = g * presses.size() / most, end = (g + 1) * presses.size() / most;
    Eigen::Index rows = 0, row = 0;
    for (std::size_t p = begin; p < end; ++p) rows += presses[p].force_N.size();
    groups[g] = {Eigen::MatrixXd(rows, presses[begin].readings.cols()), Eigen::VectorXd(rows)};
    for (std::size_t p = begin; p < end; ++p) {
      const auto count = presses[p].force_N.size();
      groups[g].readings.middleRows(row, count) = presses[p].readings;
      groups[g].force_N.segment(row, count) = presses[p].force_N;
      row += count;
    }
  }
  return groups;
}

ArrayFit fit_array(std::span<const ArrayPress> presses) {
  const auto scaling = scaling_of(presses);
  std::vector<Sums> each;
  Sums all(scaling.mean.size() + 1);
  for (const auto& press : presses) all += each.emplace_back(sums_of(press, scaling));
  double ridge = kRidges.front();
  auto errors = left_out_errors(presses, each, all, scaling, ridge);
  for (const double stronger : kRidges) {
    auto tried = left_out_errors(presses, each, all, scaling, stronger);
    if (!(sum_of_squares(tried) < kBetter * sum_of_squares(errors))) continue;
    errors = std::move(tried);
    ridge = stronger;
  }
  const auto solution = solve(all, ridge);
  ArrayFit fit;
  fit.law = in_counts(solution, scaling, ridge);
  fit.rows = static_cast<std::size_t>(all.rows);
  fit.left_out_rms_N = std::sqrt(sum_of_squares(errors) / all.rows);
  double squares = 0;
  for (const auto& press : presses)
    squares += (scaled(press, scaling) * solution - press.force_N).squaredNorm();
  fit.residual_rms_N = std::sqrt(squares / all.rows);
  fit.force_spread_N = spread_of_force(presses);
  split_error(presses, errors, fit);
  return fit;
}

}  // namespace tactelier
