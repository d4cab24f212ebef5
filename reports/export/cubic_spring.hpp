#pragma once
// A spring of three numbers, f = k d + k2 d^2 + k3 d^3, for targets that take a polynomial where a
// model has a curve (stiffness.curve, libcalib/forward/foundation_column.hpp). d is the depth in m,
// never below 0.

#include <functional>

namespace tactelier {

struct CubicSpring {
  double k_N_per_m = 0, k2_N_per_m2 = 0, k3_N_per_m3 = 0;

  double force_N(double depth_m) const {
    return depth_m * (k_N_per_m + depth_m * (k2_N_per_m2 + depth_m * k3_N_per_m3));
  }
  double tangent_N_per_m(double depth_m) const {
    return k_N_per_m + depth_m * (2 * k2_N_per_m2 + depth_m * 3 * k3_N_per_m3);
  }
  /// Where it carries that force; a spring that hardens has one such depth.
  double depth_m(double force_N) const;
};

struct FittedSpring {
  CubicSpring spring;
  double worst_share = 0;  // largest difference from the law, of its force at the end
};

/// Least squares on [0, depth_m], over 200 depths. No number comes out negative: then the spring
/// hardens wherever it goes, and rests in one place only.
FittedSpring fit_cubic_spring(const std::function<double(double)>& force_N, double depth_m);

}  // namespace tactelier
