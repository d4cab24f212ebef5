#pragma once
// How far threshold and gain of a tactel would move if everything were recorded again.

#include <Eigen/Core>
#include <string>

#include "fitting/response/response_report.hpp"

namespace tactelier {

struct ResponseUncertainty {
  Eigen::Matrix2d covariance = Eigen::Matrix2d::Zero();  // threshold_N, gain_N_per_count
  double threshold_dof = 0;
  double gain_dof = 0;
  std::string method;
  LackOfFit lack;                // what of the covariance comes from readings that are no line
  int left_out = 0, missed = 0;  // presses, where they can be left out one by one
};

/// Five presses or more: bootstrap over presses; two to four: their spread; one: the press's own
/// residuals with their serial correlation, plus the pooled scatter between presses of other
/// tactels where there is one. A threshold at its bound is held, its row is 0. Widened where the
/// line does not describe the readings.
ResponseUncertainty response_uncertainty(const TactelFit& fit, const ReportSettings& settings,
                                         const Job& job);

}  // namespace tactelier
