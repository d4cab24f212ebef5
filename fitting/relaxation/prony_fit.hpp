#pragma once
// Relaxation times from a hold behind a ramp of finite length
// (docs/theory/damping-and-relaxation.md 3).

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "fitting/statistics/condition.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// One hold from first touch on: depth is linear between rows, and begins at 0 before the first.
struct HoldTrace {
  double begin_s = 0;  // of first touch
  std::vector<double> time_s;
  std::vector<double> depth_m;
  std::vector<double> force_N;
  std::vector<double> sigma_N;  // of force_N; 0: the row carries the depth only
  double scale = 1;             // multiplies depth: stiffness of this hold over the common one
  std::size_t own_row = 0;      // first touch, or the begin of the last step; before: history
  double u_zero_m = 0;          // of the depth from own_row on; 0: known
  double u_late_s = 0;          // of when the way from own_row on was gone; 0: known
  double u_drift_m_per_s = 0;  // of how fast the pad's surface moves from own_row on; 0: not at all
};

struct PronyFit {
  double k_inf = 0;       // N/m
  std::vector<double> k;  // N/m, with tau_s rising
  std::vector<double> tau_s;
  double chi2 = 0;
  std::size_t rows = 0;        // compared
  double lag1 = 0;             // of the whitened residuals
  Condition condition;         // columns k_inf, k.., log tau..
  Eigen::MatrixXd covariance;  // of the same for unit variance; empty when rank deficient
  bool at_bound = false;       // some tau rests on the window's end

  double u_log_tau(std::size_t branch) const;
};

/// Window of relaxation times that a hold can show.
struct TauWindow {
  double low_s = 0;
  double high_s = 0;

  bool ends_at(double tau_s) const;  // 2 % within, or beyond
};

/// One set of stiffnesses and times for all traces: the best of all starts on a grid over the
/// window, branches at least a factor 3 apart; or from `start` where given.
/// Fails with kUnidentifiable with fewer rows than parameters.
Result<PronyFit> fit_prony(std::span<const HoldTrace> traces, std::size_t branches,
                           TauWindow window, std::span<const double> start_tau_s = {});

/// The same with a scale of its own for every trace, mean 1 (pads harden, places differ). The
/// covariance knows nothing of the scales, unless the zero of a depth is open: then zeros, scales
/// and branches are fitted together (zeroed_prony.hpp).
Result<PronyFit> fit_scaled_prony(std::vector<HoldTrace> traces, std::size_t branches,
                                  TauWindow window);

constexpr std::size_t kMaxBranches = 3;

/// Branches are added while AICc falls by more than 10 and every log tau is known to better than
/// 0.5, or one ends at the window (which the caller refuses). Scales as in fit_scaled_prony().
std::size_t count_branches(std::span<const HoldTrace> traces, TauWindow window);

/// chi^2 + penalty (docs/theory/statistics.md 4), the noise known.
double prony_aicc(const PronyFit& fit);

}  // namespace tactelier
