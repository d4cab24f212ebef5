#pragma once
// What the point-spread fit found, as candidates for a parameter (fitting/statistics/refusal.hpp).

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "fitting/statistics/refusal.hpp"

namespace tactelier {

/// Standard uncertainty; NaN where the fit was singular.
inline double u_of(const Eigen::MatrixXd& covariance, Eigen::Index i) {
  return covariance.size() == 0 ? std::numeric_limits<double>::quiet_NaN()
                                : std::sqrt(std::max(0.0, covariance(i, i)));
}

/// A place or a direction, which may be 0.
inline Candidate location(const std::string& name, const char* unit, double value, double u,
                          double dof) {
  Candidate candidate;
  candidate.name = name;
  candidate.unit = unit;
  candidate.estimate = {value, u, dof};
  candidate.location = true;
  return candidate;
}

/// `u`: standard, of the logarithm.
inline Candidate logarithmic(const std::string& name, const char* unit, double value, double u,
                             double dof) {
  Candidate candidate;
  candidate.name = name;
  candidate.unit = unit;
  candidate.estimate = {std::log(value), u, dof};
  candidate.logarithmic = true;
  return candidate;
}

}  // namespace tactelier
