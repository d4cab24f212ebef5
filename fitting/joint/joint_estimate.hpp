#pragma once
// What the presses of one place say together, with intervals, and whether that agrees with what
// the stages found one by one.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "fitting/joint/joint_fit.hpp"
#include "fitting/statistics/identified.hpp"

namespace tactelier {

/// What the stages found: the start of the fit, and what it is compared with.
struct JointStart {
  JointValues values;
  RateModel model = RateModel::kKelvinVoigt;
  std::vector<Estimate> g;        // g_inf, g_1, ...
  std::vector<Estimate> log_tau;  // fastest first
  Estimate damping;               // at this place
};

struct JointEstimate {
  JointFit fit;
  double delta_chi2 = 0;  // of the other rate model less this one's, both refined
  Estimate k;             // N/m, at this place
  Estimate damping;
  std::vector<Estimate> g;         // g_inf, g_1, ...
  std::vector<Estimate> log_tau;   // fastest first
  std::vector<std::string> names;  // of the rows of `covariance`: k, damping, g_inf, g.., tau..
  Eigen::MatrixXd covariance;      // in natural units, of what is named
  std::string method;
  std::string refusal;  // why the stages' numbers stay: words; empty where they are replaced
};

/// Fails only when cancelled.
Result<JointEstimate> estimate_joint(const std::vector<JointTrace>& traces, const JointStart& start,
                                     const Job& job);

}  // namespace tactelier
