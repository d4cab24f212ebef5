#pragma once
// The spread of a point-spread fit as parameters of the model file (docs/theory/point-spread.md 1,
// 4).

#include "fitting/psf/psf_fit.hpp"
#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

/// Judges and writes sigma (or both axes and their direction) and the sampled kernel. `covariance`:
/// of the fit's parameters, the spread's first. `dof`: of their variances.
void report_spread(Psf& target, const PsfFit& fit, double pitch_m,
                   const Eigen::MatrixXd& covariance, double dof);

}  // namespace tactelier
