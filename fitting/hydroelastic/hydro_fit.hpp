#pragma once
// Foundation modulus and dissipation of a pressure-field pad from force over depth of presses with
// one indenter (docs/theory/pressure-field.md 3):
//   Hunt-Crossley   F = K [V (1 + d v + h sgn v) + B]
//   Kelvin-Voigt    F = K [V (1 + h sgn v) + t A v + B]
// V overlap volume, A its slope, v approach speed, h half-width of a hysteresis that goes with the
// force, B what relaxing branches still hold. The modulus is E_h = K H: only their ratio shows, H
// is the simulator's. V and A are those at
//   depth - shift - C F + a sin(2 pi n/lambda) + b cos(2 pi n/lambda)
// C the compliance beside pad and frame (tape under the sensor, an error of the frame's; below 0: a
// pad that hardens), a and b the microstep error of a stage whose nut stands at n.

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
  double nut_m = 0;  // of the stage, positive down: how far without play and bending
};

struct HydroTerms {
  bool rate = true;
  bool hysteresis = false;
  /// Standard uncertainty of each press's contact point: its shift is fitted with it as a prior;
  /// infinite: freely. Empty: no shifts.
  std::vector<double> u_contact_m;
  double series_m_per_N = 0;    // C, or where it is expected
  double u_series_m_per_N = 0;  // its standard uncertainty, by which it is fitted; 0: held
  double microstep_m = 0;       // lambda; 0: none
  double u_depth_m = 0;         // standard deviation of depths, of each row anew
};

struct HydroFit {
  RateModel model = RateModel::kHuntCrossley;
  double modulus_Pa_per_m = 0;  // K
  double rate = 0;              // d in s/m, or t in s
  double hysteresis = 0;
  std::vector<double> shift_m;  // by press
  double series_m_per_N = 0;    // C
  double u_series_m_per_N = 0;  // for unit variance; 0: held
  Eigen::MatrixXd covariance;   // of K, rate (when fitted): for unit variance
  double chi2 = 0;
  double dof = 0;
  double deviance = 0;              // chi^2 + sum log sigma^2: of models that differ in u_depth_m
  std::vector<double> residuals;    // whitened, of the rows
  std::vector<double> depth_m;      // of the rows, all corrections made
  std::vector<double> left_over_N;  // of the rows: force of the model less that read
};

/// By how much depths of the rows scatter, as what is left of `fit` shows: until chi^2 is what it
/// should be, at most `most_m`.
double depth_scatter_m(std::span<const HydroRow> rows, const HydroFit& fit,
                       const Indenter& indenter, double most_m);

/// Fails with kUnidentifiable with fewer rows than parameters or when nothing separates them.
Result<HydroFit> fit_hydro(std::span<const HydroRow> rows, const Indenter& indenter,
                           RateModel model, const HydroTerms& terms);

}  // namespace tactelier
