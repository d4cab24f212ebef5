#include "fitting/statistics/serial.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cassert>
#include <cmath>

#include "fitting/statistics/quantiles.hpp"

namespace tactelier {

double lag1(std::span<const double> residuals) {
  if (residuals.size() < 3) return 0;
  double squares = 0;
  double products = 0;
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    squares += residuals[i] * residuals[i];
    if (i > 0) products += residuals[i] * residuals[i - 1];
  }
  return squares > 0 ? products / squares : 0;
}

double serial_inflation(double rho) {
  const double bounded = std::clamp(rho, 0.0, 1 - 1e-9);
  return std::sqrt((1 + bounded) / (1 - bounded));
}

double effective_count(std::size_t n, double rho) {
  const double inflation = serial_inflation(rho);
  return std::max(1.0, static_cast<double>(n) / (inflation * inflation));
}

double correlation_length(double rho) {
  if (rho <= 0) return 1;
  return std::max(1.0, -1 / std::log(std::min(rho, 1 - 1e-9)));
}

Eigen::MatrixXd newey_west(const Eigen::MatrixXd& design, std::span<const double> residuals,
                           std::size_t lag) {
  const Eigen::Index n = design.rows();
  assert(static_cast<std::size_t>(n) == residuals.size());
  const Eigen::Map<const Eigen::VectorXd> r(residuals.data(), n);
  const Eigen::MatrixXd scores = r.asDiagonal() * design;
  Eigen::MatrixXd middle = scores.transpose() * scores;
  const auto last = std::min(static_cast<Eigen::Index>(lag), n - 1);
  for (Eigen::Index l = 1; l <= last; ++l) {
    const double weight = 1 - static_cast<double>(l) / static_cast<double>(lag + 1);
    const Eigen::MatrixXd cross = scores.bottomRows(n - l).transpose() * scores.topRows(n - l);
    middle += weight * (cross + cross.transpose());
  }
  // (X^T X)^-1 from the triangle of a QR: squares the condition number only once.
  const Eigen::Index p = design.cols();
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(design);
  const Eigen::MatrixXd r_inverse = qr.matrixQR().topRows(p).triangularView<Eigen::Upper>().solve(
      Eigen::MatrixXd::Identity(p, p));
  const Eigen::MatrixXd bread = r_inverse * r_inverse.transpose();
  return bread * middle * bread;
}

RunsTest runs_test(std::span<const double> residuals) {
  RunsCounter counter;
  for (const double r : residuals) counter.add(r);
  return counter.test();
}

RunsTest RunsCounter::test() const {
  RunsTest test;
  test.runs = runs_;
  const auto above = static_cast<double>(positive_);
  const auto below = static_cast<double>(all_ - positive_);
  const double n = above + below;
  if (above == 0 || below == 0) return test;
  test.expected = 2 * above * below / n + 1;
  const double variance = (test.expected - 1) * (test.expected - 2) / (n - 1);
  if (!(variance > 0)) return test;
  test.z = (static_cast<double>(test.runs) + 0.5 - test.expected) / std::sqrt(variance);
  test.p = normal_cdf(test.z);
  return test;
}

}  // namespace tactelier
