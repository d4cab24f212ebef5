#pragma once
// Stiffness, damping and relaxation of one place from all its presses at once: ramps, chirps and
// holds share them (docs/theory/damping-and-relaxation.md 2, 7).
//   F = F_e + sum_j r_j h_j + rate + hysteresis + own,   F_e = k (depth + b depth^2)
//   h_j' = F_e' - h_j / tau_j                  r_j = k_j / k_inf: k is the long-time stiffness
//   rate: Kelvin-Voigt c_n (1 + 2 b depth) v, Hunt-Crossley (F_e + own) d v
//   hysteresis: a share of F_e + own with the sign of v; own: one force per press, k times the
//   error of its contact point, which the branches feel from touch on. Where one
//   stiffness doesn't describe all presses, each has its own around k, scattered as they show.
// One Ceres problem with analytic derivatives by the branches' recursion.

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "fitting/damping/rate_data.hpp"
#include "fitting/statistics/condition.hpp"
#include "libcalib/job.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// One press: where the indenter went, and means of the force over segments of that.
struct JointTrace {
  std::string where;
  DepthPath path;
  std::vector<RateRow> rows;    // branches_m, branches_m2 and press are not used
  std::vector<PathRows> means;  // by row
};

/// In the order of the columns that `covariance` has.
struct JointValues {
  double k = 0;           // N/m, long-time
  double hardening = 0;   // b, 1/m
  double damping = 0;     // c_n in N s/m or d in s/m
  double hysteresis = 0;  // half-width, of F_e
  std::vector<double> ratio;
  std::vector<double> tau_s;  // rising

  std::size_t branches() const { return tau_s.size(); }
  std::size_t size() const { return 4 + 2 * branches(); }
};

struct JointFit {
  RateModel model = RateModel::kKelvinVoigt;
  JointValues values;
  double chi2 = 0;
  double dof = 0;
  double lag1 = 0;  // of the whitened residuals, press by press
  int iterations = 0;
  bool converged = false;
  Condition condition;         // of all columns, the presses' own forces last
  Eigen::MatrixXd covariance;  // log k, b, damping, hysteresis, ratios, log taus; for unit variance
  std::vector<double> own_N;   // by trace
  double scatter = 0;          // of the presses' own stiffness, relative
};

/// From `start`, whose number of branches stays. Fails with kUnidentifiable with fewer rows than
/// parameters or without a usable solution, with kCancelled when stopped. `scatter`: of the
/// presses' stiffness where it is known; else found, round by round.
Result<JointFit> fit_joint(const std::vector<const JointTrace*>& traces, RateModel model,
                           const JointValues& start, const Job& job = {},
                           std::optional<double> scatter = {});

}  // namespace tactelier
