#pragma once
// Does the line describe the readings, and if not, how far off may it be? A line through readings
// that bend has small errors by its residuals' count and large ones in newtons: what it makes of a
// stretch of force that took no part in the fit says so. Threshold and gain are widened until such
// stretches fit, and refused where even that does not help (docs/theory/response.md 5).

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "fitting/response/affine_fit.hpp"

namespace tactelier {

/// What the line makes of the readings of one press over one stretch of force, less the force.
struct ErrorBin {
  double readings = 0;  // 0: none there
  double rise = 0;      // counts above the offset, mean
  double error_N = 0;   // mean
};

/// Of all presses, over the same stretches of force.
struct ErrorBins {
  std::vector<std::vector<ErrorBin>> presses;
  double noise_N = 0;  // of one reading's error, apart from any smooth course
  double noise_dof = 0;
  double dependence = 1;  // (1 + rho) / (1 - rho) of neighbouring readings

  std::size_t stretches() const { return presses.empty() ? 0 : presses.front().size(); }
};

/// Between the forces `low_N` and `high_N`, where the line holds. Empty with too few readings.
ErrorBins error_bins(std::span<const ResponsePress> presses, const AffineFit& fit, double low_N,
                     double high_N);
/// Of readings at rest, a few under each load: their noise is what those under one load differ by,
/// at least what rounding leaves (`u_rounding_N`). Empty with fewer than four loads, or one press
/// with no load read twice.
ErrorBins error_bins_at_rest(std::span<const ResponsePress> presses, const AffineFit& fit,
                             double low_N, double high_N, double u_rounding_N);

struct LackOfFit {
  Eigen::Matrix2d covariance = Eigen::Matrix2d::Zero();  // to be added: threshold_N, gain
  double dof = 0;                                        // behind it
  double chi2_per_dof = 1;                               // of stretches left out, before
  double error_N = 0;                                    // rms of what presses have in common
  bool there() const { return dof > 0; }
};

/// `threshold_held`: it rests on a bound, so the gain alone can answer. `tests`: fits of one kind
/// that are judged together.
LackOfFit lack_of_fit(const ErrorBins& bins, bool threshold_held, int tests);

/// Presses whose readings, left out, lie outside what the others and `reported`, the covariance of
/// threshold and gain of one more press, say: by more than 1.96 standard deviations (rms). 0 with
/// fewer than three presses.
int missed_presses(const ErrorBins& bins, const LackOfFit& lack, const Eigen::Matrix2d& reported);

/// Misses of intervals of 95 % that chance gives with a probability below 0.001: 6 of 20.
int improbable_misses(int left_out);

}  // namespace tactelier
