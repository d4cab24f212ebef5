#include "fitting/statistics/bootstrap.hpp"

#include <algorithm>
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

}  // namespace tactelier
