#pragma once
// Rate effects of a pad from presses at several speeds
// (docs/theory/damping-and-relaxation.md 1, 5):
//   Kelvin-Voigt   F = F_e + c_n (F_e'/k) v
//   Hunt-Crossley  F = F_e (1 + d v)
//   F_e = k (depth + b depth^2), v = d(depth)/dt; relaxing branches of known fractions and times
// beside F_e. For given b everything is linear.

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "fitting/statistics/condition.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// Mean over a segment of one press.
struct RateRow {
  double depth_m = 0;
  double velocity_m_per_s = 0;
  double force_N = 0;
  double sigma_N = 0;
  double branches_m = 0;   // sum of (k_i/k) h_i of the depth's history, as a depth
  double branches_m2 = 0;  // the same of depth^2
  std::size_t press = 0;
  double half_sample_m_per_s = 0;  // speed half a sample later, less the speed
};

enum class RateModel { kElastic, kKelvinVoigt, kHuntCrossley };

struct RateTerms {
  bool hardening = false;   // b free
  bool hysteresis = false;  // a share of F_e that changes sign with v, whatever its size
  bool offsets = false;     // a force of its own for every press
};

struct RateFit {
  RateModel model = RateModel::kElastic;
  double k = 0;          // N/m
  double hardening = 0;  // b, 1/m
  double damping = 0;    // c_n in N s/m or d in s/m
  double u_k = 0;        // for unit variance
  double u_damping = 0;
  double hysteresis = 0;  // half-width, of F_e
  double chi2 = 0;
  double dof = 0;
  Condition condition;
  std::vector<double> residuals;  // whitened, in order of the rows
  std::vector<double> own_N;      // by press, where `offsets` were asked for
};

/// Fails with kUnidentifiable with fewer rows than parameters or when they are not separate.
Result<RateFit> fit_rate(std::span<const RateRow> rows, RateModel model,
                         const RateTerms& terms = {});

}  // namespace tactelier
