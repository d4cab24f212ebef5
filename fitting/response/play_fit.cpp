#include "fitting/response/play_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "fitting/response/monotone_fit.hpp"

namespace tactelier {
namespace {

constexpr int kOperators = 8;
constexpr double kAsGood = 1.05;    // times the rms of all operators
constexpr double kRounding = 1e-6;  // of the readings

std::optional<Eigen::VectorXd> weights_of(const PlaySums& sums) {
  Eigen::MatrixXd matrix = sums.matrix;
  matrix.diagonal() *= 1 + 1e-12;
  const Eigen::LLT<Eigen::MatrixXd> factor(matrix);
  if (factor.info() != Eigen::Success) return std::nullopt;
  auto solved =
      solve_nonnegative(Eigen::MatrixXd(factor.matrixU()), factor.matrixL().solve(sums.right), 0);
  if (!solved) return std::nullopt;
  return std::move(*solved);
}

/// Of the first operators alone.
PlaySums first_of(const PlaySums& sums, Eigen::Index operators) {
  return {sums.matrix.topLeftCorner(operators, operators), sums.right.head(operators), sums.squares,
          sums.rows};
}

double rms(const PlaySums& sums, const Eigen::VectorXd& weights) {
  const double squares =
      sums.squares - 2 * weights.dot(sums.right) + weights.dot(sums.matrix * weights);
  return std::sqrt(std::max(0.0, squares) / std::max(1.0, sums.rows));
}

}  // namespace

Eigen::MatrixXd play_states(std::span<const double> force_N, std::span<const double> thresholds_N) {
  Eigen::MatrixXd states(static_cast<Eigen::Index>(force_N.size()),
                         static_cast<Eigen::Index>(thresholds_N.size()));
  for (Eigen::Index k = 0; k < states.cols(); ++k) {
    const double r = thresholds_N[static_cast<std::size_t>(k)];
    double x = 0;
    for (Eigen::Index i = 0; i < states.rows(); ++i) {
      const double f = force_N[static_cast<std::size_t>(i)];
      x = std::max(f, std::min(f + 2 * r, x));
      states(i, k) = x;
    }
  }
  return states;
}

std::vector<double> play_grid(double largest_force_N) {
  std::vector<double> thresholds_N{0};
  for (int k = kOperators - 2; k >= 0; --k)
    thresholds_N.push_back(0.5 * largest_force_N / std::exp2(k));
  return thresholds_N;
}

void PlaySums::add(const PlaySums& other, double sign) {
  if (matrix.size() == 0) {
    matrix = Eigen::MatrixXd::Zero(other.matrix.rows(), other.matrix.cols());
    right = Eigen::VectorXd::Zero(other.right.size());
  }
  matrix += sign * other.matrix;
  right += sign * other.right;
  squares += sign * other.squares;
  rows += sign * other.rows;
}

PlaySums play_sums(const Eigen::MatrixXd& states, std::span<const double> apparent_N) {
  const Eigen::Map<const Eigen::VectorXd> y(apparent_N.data(), states.rows());
  return {states.transpose() * states, states.transpose() * y, y.squaredNorm(),
          static_cast<double>(states.rows())};
}

Result<PlayFit> fit_play(std::span<const double> thresholds_N, std::span<const PlaySums> presses) {
  PlaySums all;
  for (const auto& press : presses) all.add(press);
  const auto of_all = all.rows > 0 ? weights_of(all) : std::nullopt;
  if (!of_all)
    return fail(ErrorCode::kUnidentifiable,
                "RS-06 no way out shows which play operators there are");
  PlayFit fit;
  Eigen::VectorXd single = Eigen::VectorXd::Zero(of_all->size());
  single(0) = all.matrix(0, 0) > 0 ? all.right(0) / all.matrix(0, 0) : 0;
  fit.rms_without_N = rms(all, single);
  const double as_good_N =
      kAsGood * rms(all, *of_all) + kRounding * std::sqrt(all.squares / all.rows);
  if (fit.rms_without_N <= as_good_N)
    return fail(ErrorCode::kUnidentifiable, "RS-06 loading and unloading do not differ");
  // Above its closing an unloading that begins at the ceiling shows how far it lies from loading,
  // not how wide the operators are that put it there: the narrowest that do.
  Eigen::Index operators = 2;
  std::optional<Eigen::VectorXd> weights;
  for (; operators <= of_all->size(); ++operators) {
    weights = weights_of(first_of(all, operators));
    if (weights && rms(first_of(all, operators), *weights) <= as_good_N) break;
  }
  if (operators > of_all->size()) {
    operators = of_all->size();
    weights = of_all;
  }
  fit.thresholds_N.assign(thresholds_N.begin(), thresholds_N.begin() + operators);
  fit.weights.assign(weights->data(), weights->data() + operators);
  fit.rms_N = rms(first_of(all, operators), *weights);
  if (presses.size() < 2) return fit;
  std::vector<Eigen::VectorXd> without;
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(operators);
  for (const auto& press : presses) {
    PlaySums others = all;
    others.add(press, -1);
    const auto found = weights_of(first_of(others, operators));
    if (!found) return fit;
    without.push_back(*found);
    mean += *found / static_cast<double>(presses.size());
  }
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(operators);
  for (const auto& found : without) squares += (found - mean).cwiseAbs2();
  const auto n = static_cast<double>(presses.size());
  for (const double s : squares) fit.u_weights.push_back(std::sqrt(s * (n - 1) / n));
  return fit;
}

}  // namespace tactelier
