#pragma once
// The affine response with dead zone and ceiling, fitted to samples of force and counts
// (docs/theory/response.md 1, 2). Pure: no session, no tactel.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "fitting/statistics/line_fit.hpp"
#include "libcalib/job.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// Samples of one press, rows in time order; bias removed from the force.
struct ResponsePress {
  std::vector<double> force_N;
  std::vector<double> counts;
  double offset_counts = 0;  // unloaded reading of this press
};

/// What happens to the line at either end.
enum class Clip {
  kNone,      // the line goes on
  kCensored,  // readings beyond it are cut to exactly this value, noise and all
  kVisible,   // the line ends there and the noise stays
};

struct AffineSettings {
  Clip floor = Clip::kVisible;
  Clip ceiling = Clip::kNone;
  double saturation_counts = 0;  // above offset 0, absolute reading
  double sigma_counts = 1;       // noise of one reading
  double sigma_force_N = 0;      // of one force sample; 0: force is exact
  double max_threshold_N = 0;    // bound: 0.8 of the largest force
};

/// theta = (threshold_N, gain_N_per_count). J = d(residual)/d(theta), whitened.
struct PressEvidence {
  Eigen::Matrix2d information = Eigen::Matrix2d::Zero();  // J^T J
  Eigen::Vector2d score = Eigen::Vector2d::Zero();        // -J^T r: information^-1 score is the
                                                    // press's own step away from the pooled fit
  // About the press's own line, so that how presses differ does not count as noise within one:
  Eigen::Matrix2d serial = Eigen::Matrix2d::Zero();  // J^T S J with lags, for Newey-West
  double own_chi2 = 0;
  double chi2 = 0;  // about the pooled fit
  int on_line = 0;  // samples between trigger and ceiling
};

struct AffineFit {
  double threshold_N = 0;
  double gain_N_per_count = 0;
  bool threshold_at_zero = false;  // rests on its lower bound
  bool threshold_at_top = false;   // rests on its upper bound
  std::vector<PressEvidence> presses;
  double cost = 0;  // half the sum of squared whitened residuals
  int samples = 0;
  int on_line = 0;
  int iterations = 0;
  double runs_p = 1;  // of the residuals on the line, in order

  Eigen::Matrix2d information() const;
};

/// docs/theory/response.md 2: the force's noise matters from sigma_F >= sigma_c kappa / 5 on.
bool force_noise_matters(double sigma_force_N, double sigma_counts, double gain_N_per_count);

/// Residuals: censored clips as in docs/theory/response.md 1, r = max(0, p - clip); visible ones
/// r = c - clip(p). With force noise each residual is divided by its effective deviation
/// sqrt(sigma_c^2 + h'^2 sigma_F^2), differentiated too; next to a visible floor h is the mean
/// response to the noisy force, so that there is no kink to fall into. Start by Theil-Sen; bounds
/// 0 <= F_t <= max_threshold, gain > 0. Fails with kUnidentifiable when no line rises out of the
/// samples.
Result<AffineFit> fit_affine(std::span<const ResponsePress> presses, const AffineSettings& settings,
                             const Job& job = {});

/// Threshold and gain of the same problem alone, without what standard errors are made of.
struct AffineLine {
  double threshold_N = 0;
  double gain_N_per_count = 0;
  double cost = 0;
  Eigen::Matrix2d information = Eigen::Matrix2d::Zero();  // J^T J of (threshold, gain)
  int iterations = 0;
};
Result<AffineLine> find_affine_line(std::span<const ResponsePress> presses,
                                    const AffineSettings& settings, const Job& job = {});

/// Residuals of one press at given parameters, whitened, for hold-out and figures.
std::vector<double> affine_residuals(const ResponsePress& press, const AffineSettings& settings,
                                     double threshold_N, double gain_N_per_count);

}  // namespace tactelier
