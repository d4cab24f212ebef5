#include "fitting/joint/joint_cost.hpp"

#include <algorithm>
#include <cmath>

#include "libcalib/models/prony.hpp"

namespace tactelier {
namespace {

enum Shared : std::size_t { kLogK, kHardening, kDamping, kHysteresis, kFirstRatio };
enum Own : std::size_t { kOwnForce, kLogScale, kOwnSize };

/// Means over a row's segment of one branch's state, driven by depth, by its square and by touch
/// (1 in contact), and their derivatives by log tau.
struct BranchMean {
  double linear_m = 0, square_m2 = 0, touch = 0;
  double linear_slope_m = 0, square_slope_m2 = 0, touch_slope = 0;
};

class JointCost : public ceres::CostFunction {
 public:
  JointCost(const JointTrace& trace, RateModel model, std::size_t branches, double scatter)
      : trace_(trace), model_(model), branches_(branches), scatter_(scatter) {
    set_num_residuals(static_cast<int>(trace.rows.size()) + 1);
    mutable_parameter_block_sizes()->push_back(static_cast<int>(kFirstRatio + 2 * branches));
    mutable_parameter_block_sizes()->push_back(kOwnSize);
  }

  bool Evaluate(const double* const* parameters, double* residuals,
                double** jacobians) const override {
    const auto means = branch_means(parameters[0]);
    for (std::size_t i = 0; i < trace_.rows.size(); ++i) {
      double* shared = jacobians && jacobians[0] ? jacobians[0] + i * shared_size() : nullptr;
      double* own = jacobians && jacobians[1] ? jacobians[1] + i * kOwnSize : nullptr;
      residuals[i] = row(trace_.rows[i], &means[i * branches_], parameters, shared, own);
      if (!std::isfinite(residuals[i])) return false;
    }
    const std::size_t last = trace_.rows.size();
    residuals[last] = parameters[1][kLogScale] / scatter_;
    if (jacobians && jacobians[0])
      std::fill_n(jacobians[0] + last * shared_size(), shared_size(), 0.0);
    if (jacobians && jacobians[1]) {
      jacobians[1][last * kOwnSize + kOwnForce] = 0;
      jacobians[1][last * kOwnSize + kLogScale] = 1 / scatter_;
    }
    return true;
  }

 private:
  std::size_t shared_size() const { return kFirstRatio + 2 * branches_; }

  /// [row * branches + branch].
  std::vector<BranchMean> branch_means(const double* shared) const {
    std::vector<BranchMean> means(trace_.rows.size() * branches_);
    const auto& path = trace_.path;
    for (std::size_t b = 0; b < branches_; ++b) {
      const double tau_s = std::exp(shared[kFirstRatio + branches_ + b]);
      PronyBranchState linear(tau_s), square(tau_s), touch(tau_s);
      double time_s = path.begin_s, depth_m = 0;
      std::size_t row = 0;
      for (std::size_t i = 0; i < path.time_s.size() && row < trace_.means.size(); ++i) {
        const double now_m = path.depth_m[i];
        linear.step(path.time_s[i] - time_s, now_m - depth_m);
        square.step(path.time_s[i] - time_s, now_m * now_m - depth_m * depth_m);
        touch.step(path.time_s[i] - time_s, (now_m > 0 ? 1 : 0) - (depth_m > 0 ? 1 : 0));
        time_s = path.time_s[i];
        depth_m = now_m;
        if (i < trace_.means[row].first) continue;
        add(linear, square, touch, trace_.means[row], means[row * branches_ + b]);
        while (row < trace_.means.size() && i + 1 >= trace_.means[row].end) ++row;
      }
    }
    return means;
  }

  static void add(const PronyBranchState& linear, const PronyBranchState& square,
                  const PronyBranchState& touch, const PathRows& segment, BranchMean& mean) {
    const double share = 1 / static_cast<double>(segment.end - segment.first);
    mean.linear_m += share * linear.value_m();
    mean.square_m2 += share * square.value_m();
    mean.linear_slope_m += share * linear.slope_m();
    mean.square_slope_m2 += share * square.slope_m();
    mean.touch += share * touch.value_m();
    mean.touch_slope += share * touch.slope_m();
  }

  double row(const RateRow& at, const BranchMean* means, const double* const* parameters,
             double* shared_slopes, double* own_slopes) const {
    const double* p = parameters[0];
    const double scale = std::exp(parameters[1][kLogScale]);
    const double k = scale * std::exp(p[kLogK]), b = p[kHardening];
    const double own_N = parameters[1][kOwnForce], damping = p[kDamping] * scale;
    const double depth = at.depth_m, v = at.velocity_m_per_s, weight = 1 / at.sigma_N;
    const double sign = std::copysign(1.0, v);
    const bool hunt_crossley = model_ == RateModel::kHuntCrossley;
    const double elastic_N = k * (depth + b * depth * depth);
    // What k and b scale is felt once, and again by hysteresis and Hunt-Crossley's damping.
    const double times = 1 + p[kHysteresis] * sign + (hunt_crossley ? p[kDamping] * v : 0);
    double branches_N = 0, branches_by_b = 0, branches_by_own = 0;
    for (std::size_t j = 0; j < branches_; ++j) {
      const double ratio = p[kFirstRatio + j];
      branches_N += k * ratio * (means[j].linear_m + b * means[j].square_m2);
      branches_by_b += k * ratio * means[j].square_m2;
      branches_by_own += ratio * means[j].touch;
    }
    // c_n goes with the stiffness, d multiplies it.
    const double viscous = hunt_crossley ? 0 : (1 + 2 * b * depth) * v;
    const double force_N =
        times * (elastic_N + own_N) + branches_N + branches_by_own * own_N + damping * viscous;
    if (shared_slopes) {
      shared_slopes[kLogK] = weight * (times * elastic_N + branches_N);
      shared_slopes[kHardening] = weight * (times * k * depth * depth + branches_by_b +
                                            (hunt_crossley ? 0 : 2 * damping * depth * v));
      shared_slopes[kDamping] =
          weight * (hunt_crossley ? (elastic_N + own_N) * v : scale * viscous);
      shared_slopes[kHysteresis] = weight * sign * (elastic_N + own_N);
      for (std::size_t j = 0; j < branches_; ++j) {
        const auto& mean = means[j];
        shared_slopes[kFirstRatio + j] =
            weight * (k * (mean.linear_m + b * mean.square_m2) + own_N * mean.touch);
        shared_slopes[kFirstRatio + branches_ + j] =
            weight * p[kFirstRatio + j] *
            (k * (mean.linear_slope_m + b * mean.square_slope_m2) + own_N * mean.touch_slope);
      }
    }
    if (own_slopes) {
      own_slopes[kOwnForce] = weight * (times + branches_by_own);
      own_slopes[kLogScale] = weight * (times * elastic_N + branches_N + damping * viscous);
    }
    return weight * (force_N - at.force_N);
  }

  const JointTrace& trace_;
  RateModel model_;
  std::size_t branches_;
  double scatter_;
};

}  // namespace

ceres::CostFunction* joint_cost(const JointTrace& trace, RateModel model, std::size_t branches,
                                double scatter) {
  return new JointCost(trace, model, branches, scatter);
}

}  // namespace tactelier
