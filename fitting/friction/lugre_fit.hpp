#pragma once
// All six LuGre parameters from traces of force against motion: speed steps, reversals, presliding
// (docs/theory/friction.md 8). The model's exact step and its analytic derivatives
// run once through every trace per iteration; only sums are kept, never the Jacobian.

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "fitting/statistics/condition.hpp"
#include "libcalib/job.hpp"
#include "libcalib/models/lugre.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// What one trace leaves open beside the shared parameters.
enum class TraceUnknown {
  kNothing,  // starts with straight bristles
  kStart,    // bristles as they were left: z(0)
  kOffset,   // straight bristles, a side force of its own
};

/// One stretch of motion under load, equally spaced; vectors of equal length.
struct FrictionTrace {
  std::string where;  // for messages
  double period_s = 0;
  std::vector<double> velocity_m_per_s;  // within each step, along the trace's direction
  std::vector<double> normal_N;          // within each step
  std::vector<double> force_N;           // friction on the pad at the end of each step
  double sigma_N = 0;                    // noise of one sample of force_N
  TraceUnknown unknown = TraceUnknown::kNothing;
  int offset = -1;           // index of the side force that it shares with others, -1: none
  double load_ratio = 1;     // mean load over the reference load
  std::size_t compared = 0;  // first row compared; those before only carry the bristles there
};

struct LugreProblem {
  std::vector<FrictionTrace> traces;
  std::size_t offsets = 0;     // shared side forces
  bool proportional = false;   // sigma0, sigma1, c_t go with the load (load_ratio)
  bool hold_bristles = false;  // sigma0 and sigma1 stay at the start: nothing shows them
};

/// Fitted as log sigma0, log sigma1, c_t, mu_s, mu_d, log v_s, then the shared offsets.
struct LugreFit {
  LugreValues values{};
  std::vector<double> offsets_N;
  std::vector<double> unknowns;  // z(0) or offset, by trace
  double chi2 = 0;
  double samples = 0;
  int iterations = 0;
  bool converged = false;
  Condition condition;             // of the whitened Jacobian; z(0) and own offsets eliminated
  Eigen::MatrixXd covariance;      // 6 x 6 of the first six, serial correlation and spread between
                                   // traces included; empty when rank deficient
  double dof = 0;                  // behind it
  std::vector<double> trace_chi2;  // per sample
  std::vector<double> trace_lag1;  // of the residuals
};

/// Fails with kUnidentifiable when nothing usable is found, with kCancelled when stopped.
Result<LugreFit> fit_lugre(const LugreProblem& problem, const LugreValues& start,
                           const Job& job = {});

}  // namespace tactelier
