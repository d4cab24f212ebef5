#pragma once
// Steady sliding: friction against speed (docs/theory/friction.md 6).
//   F = sgn(v) N [mu_s - drop (1 - exp(-(v/v_s)^2))] + c_t v + side force,  drop = mu_s - mu_d
// For a given v_s all else is linear, so the search is over log v_s alone and finds the best of all
// minima within the bounds. v_s enters squared: its logarithm is what is fitted.

#include <Eigen/Core>
#include <span>
#include <string_view>
#include <vector>

#include "fitting/statistics/condition.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// Mean of one run after the bristles have settled.
struct SlidePoint {
  double velocity_m_per_s = 0;  // signed along the axis of the slides
  double friction_N = 0;        // on the pad, along the same axis
  double normal_N = 0;
  double u_N = 0;         // standard uncertainty of friction_N
  int offset = -1;        // index of the side force that it shares with others, -1: none
  double load_ratio = 1;  // multiplies c_t
};

enum class SlidingModel { kCoulomb, kViscous, kStribeck };
std::string_view to_string(SlidingModel model);

struct StribeckFit {
  SlidingModel model = SlidingModel::kStribeck;
  double mu_s = 0;
  double drop = 0;
  double v_s_m_per_s = 0;  // 0 unless kStribeck
  bool at_bound = false;   // v_s
  double c_t = 0;          // 0 for kCoulomb
  std::vector<double> offsets_N;
  double chi2 = 0;
  double dof = 0;
  Condition condition;         // columns as in covariance
  Eigen::MatrixXd covariance;  // mu_s, drop, log v_s, c_t (kStribeck); mu_s, c_t; mu_s. For unit
                               // variance; empty when rank deficient

  double mu_d() const { return mu_s - drop; }
};

/// v_s between a third of the least and three times the largest speed. Fails with kUnidentifiable
/// when there are fewer points than parameters.
Result<StribeckFit> fit_sliding(std::span<const SlidePoint> points, SlidingModel model);

/// The simplest model that the points don't speak against: a difference in AICc below 2 counts as
/// none, and where AICc and BIC disagree BIC decides (docs/theory/statistics.md 4).
SlidingModel choose_sliding(std::span<const SlidePoint> points);

}  // namespace tactelier
