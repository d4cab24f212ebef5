#pragma once
// Damping from presses along a computed path (docs/theory/damping-and-relaxation.md 5):
//   F = k [e + sum r_j (h_j/k) + T e' v]    Kelvin-Voigt, T = c/k
//   F = k [e (1 + d v) + sum r_j (h_j/k)]   Hunt-Crossley
//   e = delta + b delta^2
// One surface for all presses, since on ramps of constant speed T is the same as a surface that
// goes with speed; each press may be off it, and late, by as much as presses show. A line that
// begins late is no surface that lies lower: where the stage brakes, a third of a fast press, it is
// off by less. What is
// known of the branches from elsewhere is fitted with its uncertainty, as a reading of its own. The
// delay stays what it was on the plate: the presses tell it by T^2/2 of the acceleration alone, a
// third of a micrometre, which no computed path is good for.

#include <span>
#include <vector>

#include "fitting/damping/computed_rates.hpp"
#include "fitting/damping/damping_fit.hpp"

namespace tactelier {

/// What other recordings say.
struct MotionPrior {
  Estimate delay_s;
  double command_scatter_s = 0;              // of single lines about that delay
  std::vector<Estimate> log_ratio, log_tau;  // of the branches: k_j/k
};

struct MotionFit {
  RateModel model = RateModel::kKelvinVoigt;
  double k = 0;          // N/m
  double hardening = 0;  // b, 1/m
  double rate = 0;       // T in s, or d in s/m
  double planned_u = 0;  // of the rate, by protocol, noise, priors and delay alone
  double within_u = 0;   // by what the fit leaves
  double between_u = 0;  // jackknife over the presses
  double delay_u = 0;    // by the delay; in neither of these two
  double depth_m = 0;    // mean
  double off_m = 0;      // standard deviation of a press's own surface
  double chi2 = 0;       // of the readings
  double cost = 0;       // that and the priors'
  double dof = 0;
  int jumps = 0;     // of the surface, as from lost steps
  int left_out = 0;  // presses that the rest contradicts
  Condition condition;
  std::vector<double> residuals;  // whitened, in order of the rows
};

/// Fails with kUnidentifiable where the rows don't determine it.
Result<MotionFit> fit_motion(const ComputedRates& rates, RateModel model, const MotionPrior& prior);

}  // namespace tactelier
