#pragma once
// Least squares of the law of joint friction over runs at constant speed.

#include <Eigen/Core>
#include <span>
#include <string>

#include "fitting/rotary/turning_runs.hpp"
#include "libcalib/models/joint_friction.hpp"

namespace tactelier {

enum JointIndex { kJointCoulomb, kJointBreakaway, kJointStribeck, kJointViscous, kJointOffset };
constexpr std::size_t kJointSize = 5;

struct JointLawFit {
  JointFrictionLaw law;
  /// By JointIndex; of log ws. NaN where a parameter is not part of the law that was fitted.
  std::array<double, kJointSize> u{};
  Eigen::MatrixXd jacobian;  // n x 5, columns of what is not fitted are zero
  double dof = 0;
  double residual_rms_Nm = 0, r2 = 0;
  bool one_way = false;       // all runs turn alike: no offset
  double drop_p = 1;          // probability that such a fall with speed comes by chance
  bool drops = false;         // else coulomb and viscous alone were fitted
  std::string refusal;        // code and words: nothing was fitted
  std::string not_bracketed;  // why breakaway and Stribeck speed can't be told, though it drops
};

/// The Stribeck curve where it explains the runs better than a line by more than chance.
JointLawFit fit_joint(std::span<const TurningRun> runs);

}  // namespace tactelier
