#pragma once
// Samples of one press are not independent: neighbours share creep, drift and filter tails, and a
// standard error that ignores this is several times too small (docs/theory/statistics.md 2).

#include <Eigen/Core>
#include <cstddef>
#include <span>

namespace tactelier {

/// Lag-1 autocorrelation of residuals (mean 0 assumed); 0 with fewer than 3.
double lag1(std::span<const double> residuals);
/// sqrt((1 + rho) / (1 - rho)): how much AR(1) residuals widen a standard error. At least 1: we
/// never narrow an interval for residuals that alternate.
double serial_inflation(double rho);
/// n (1 - rho) / (1 + rho), between 1 and n.
double effective_count(std::size_t n, double rho);
/// Number of samples after which an AR(1) correlation has fallen to 1/e; at least 1.
double correlation_length(double rho);

/// Newey-West covariance of a linear(ised) least-squares fit with Bartlett weights up to `lag`.
/// `design` is n x p (Jacobian), rows in time order; lag about 4 to 6 correlation lengths.
Eigen::MatrixXd newey_west(const Eigen::MatrixXd& design, std::span<const double> residuals,
                           std::size_t lag);

/// Wald-Wolfowitz: are there too few runs of equal sign for a model that fits?
struct RunsTest {
  std::size_t runs = 0;
  double expected = 0;
  double z = 0;  // normal deviate with continuity correction; negative: too few runs
  double p = 1;  // one-sided probability of as few runs; 1 when there is nothing to test
};
/// Zero residuals are left out. One-sided, since curvature shows as too few runs.
RunsTest runs_test(std::span<const double> residuals);

/// The same, residual by residual.
class RunsCounter {
 public:
  void add(double residual) {  // without branches: signs are as good as drawn
    const int sign = (residual > 0) - (residual < 0);
    const bool counts = sign != 0;
    positive_ += static_cast<std::size_t>(sign > 0);
    all_ += static_cast<std::size_t>(counts);
    runs_ += static_cast<std::size_t>(counts & (sign != last_));
    last_ = counts ? sign : last_;
  }
  RunsTest test() const;

 private:
  std::size_t runs_ = 0, positive_ = 0, all_ = 0;
  int last_ = 0;
};

}  // namespace tactelier
