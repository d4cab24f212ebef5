#include "fitting/statistics/bootstrap.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cassert>
#include <vector>

namespace tactelier {
namespace {

/// Mean and scatter of vectors as they come, without keeping them (Welford).
class Scatter {
 public:
  void add(const Eigen::VectorXd& value) {
    if (count_ == 0) {
      mean_ = Eigen::VectorXd::Zero(value.size());
      squares_ = Eigen::MatrixXd::Zero(value.size(), value.size());
    }
    ++count_;
    const Eigen::VectorXd before = value - mean_;
    mean_ += before / count_;
    squares_ += before * (value - mean_).transpose();
  }
  int count() const { return count_; }
  Eigen::MatrixXd covariance() const {
    return (squares_ + squares_.transpose()) / (2.0 * (count_ - 1));
  }

 private:
  int count_ = 0;
  Eigen::VectorXd mean_;
  Eigen::MatrixXd squares_;
};

}  // namespace

Result<Bootstrap> bootstrap_presses(
    std::size_t presses, int resamples, RandomSource& random,
    const std::function<std::optional<Eigen::VectorXd>(std::span<const std::size_t>)>& estimate,
    const Job& job) {
  if (presses < kMinBootstrapPresses)
    return fail(ErrorCode::kUnidentifiable, "{} presses, a bootstrap needs {}", presses,
                kMinBootstrapPresses);
  Scatter scatter;
  std::vector<std::size_t> drawn(presses);
  for (int i = 0; i < resamples; ++i) {
    if (job.stopped()) return Job::cancelled();
    for (auto& press : drawn) press = random.below(presses);
    if (const auto value = estimate(drawn)) scatter.add(*value);
  }
  if (scatter.count() < 2 || 2 * scatter.count() < resamples)
    return fail(ErrorCode::kUnidentifiable, "only {} of {} resamples of the presses can be fitted",
                scatter.count(), resamples);
  const auto m = static_cast<double>(presses);
  Bootstrap result;
  result.covariance = scatter.covariance() * (m / (m - 1));
  result.std = result.covariance.diagonal().cwiseSqrt();
  result.dof = m - 1;
  result.used = scatter.count();
  return result;
}

namespace {

/// Expected mean of one resample: mean over all blocks of their means.
double expected_mean(std::span<const double> residuals, std::size_t block) {
  double sum = 0;
  for (std::size_t i = 0; i < block; ++i) sum += residuals[i];
  double total = sum;
  for (std::size_t i = block; i < residuals.size(); ++i) {
    sum += residuals[i] - residuals[i - block];
    total += sum;
  }
  return total / static_cast<double>((residuals.size() - block + 1) * block);
}

}  // namespace

Eigen::VectorXd moving_block_bootstrap(const Eigen::MatrixXd& design,
                                       std::span<const double> residuals, std::size_t block,
                                       int resamples, RandomSource& random) {
  const std::size_t n = residuals.size();
  assert(block >= 1 && block <= n && static_cast<std::size_t>(design.rows()) == n);
  const double centre = expected_mean(residuals, block);
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(design);
  Eigen::VectorXd resampled(design.rows());
  Scatter scatter;
  for (int i = 0; i < resamples; ++i) {
    for (std::size_t row = 0; row < n;) {
      const std::size_t start = random.below(n - block + 1);
      for (std::size_t k = 0; k < block && row < n; ++k, ++row)
        resampled[static_cast<Eigen::Index>(row)] = residuals[start + k] - centre;
    }
    scatter.add(qr.solve(resampled));
  }
  return scatter.covariance().diagonal().cwiseSqrt();
}

}  // namespace tactelier
