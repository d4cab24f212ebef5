#pragma once
// How far a force that is read off a response curve may be off, the reading's own noise apart
// (docs/theory/response.md 4). A curve's standard errors alone would say how readings scatter about
// it; what repeats show is how whole presses differ: each as a shift of the force and a stretch of
// it against the curve of all.

#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

#include "fitting/response/response_tactel.hpp"
#include "libcalib/parameter.hpp"

namespace tactelier {

/// Of (shift_N, stretch) between presses on one tactel: what the curve makes of a press's readings
/// less its force, as shift + stretch F. All tactels with repeats together.
struct CurveScatter {
  Eigen::Matrix2d covariance = Eigen::Matrix2d::Zero();
  double dof = 0;  // 0: no tactel was pressed twice
};
CurveScatter curve_scatter(std::span<const TactelFit> fits, std::size_t law);

struct CurveSettings {
  CurveScatter scatter;
  double gain_u_percent = 0;  // of force sensor and temperature, standard
};

/// The chosen law's coefficients with intervals from repeats; empty for laws that have none.
std::vector<Parameter> curve_coefficients(const TactelFit& fit, std::size_t law,
                                          const CurveSettings& settings);

/// (force_N, u_N) from the lowest force of the data to the highest, u_N expanded (95 %): scatter of
/// readings and of presses, what the law misses, latency and the force sensor.
std::vector<std::array<double, 2>> curve_u95(const TactelFit& fit, std::size_t law,
                                             const CurveSettings& settings);

}  // namespace tactelier
