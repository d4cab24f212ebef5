#pragma once
// Foundation modulus and dissipation of a pressure-field pad from force over depth of presses with
// one indenter (docs/theory/pressure-field.md 3):
//   Hunt-Crossley   F = K [V (1 + d v + h sgn v) + B]
//   Kelvin-Voigt    F = K [V (1 + h sgn v) + t A v + B]
// V overlap volume at depth - shift, A its slope, v approach speed, h half-width of a hysteresis
// that goes with the force, B what relaxing branches still hold. The modulus is E_h = K H: only
// their ratio shows, H is the simulator's.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "fitting/damping/damping_fit.hpp"
#include "libcalib/models/overlap.hpp"

namespace tactelier {

/// Mean over a short segment of one press.
struct HydroRow {
  double depth_m = 0;  // from the contact point as the contact stage has it
  double velocity_m_per_s = 0;
  double force_N = 0;
  double sigma_N = 0;
  double branches_m3 = 0;  // sum of (k_i/k) h_i of the history of V
  std::size_t press = 0;
};

struct HydroTerms {
  bool rate = true;
  bool hysteresis = false;
  /// Standard uncertainty of each press's contact point: its shift is fitted with it as a prior;
  /// infinite: freely. Empty: no shifts.
  std::vector<double> u_contact_m;
};

struct HydroFit {
  RateModel model = RateModel::kHuntCrossley;
  double modulus_Pa_per_m = 0;  // K
  double rate = 0;              // d in s/m, or t in s
  double hysteresis = 0;
  std::vector<double> shift_m;  // by press
  Eigen::MatrixXd covariance;   // of K, rate (when fitted): for unit variance
  double chi2 = 0;
  double dof = 0;
  std::vector<double> residuals;  // whitened, of the rows
};

/// Fails with kUnidentifiable with fewer rows than parameters or when nothing separates them.
Result<HydroFit> fit_hydro(std::span<const HydroRow> rows, const Indenter& indenter,
                           RateModel model, const HydroTerms& terms);

}  // namespace tactelier
