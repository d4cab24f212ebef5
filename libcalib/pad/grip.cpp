#include "libcalib/pad/grip.hpp"

#include <cmath>

namespace tactelier::pad {

Point Grip::step_N(Point by_m, double normal_N) {
  if (normal_N <= 0) {
    force_N_ = {};
    return {};
  }
  force_N_.x_m += by_m.x_m / compliance_m_per_N_;
  force_N_.y_m += by_m.y_m / compliance_m_per_N_;
  const double held_N = kFriction * normal_N;
  const double pulls_N = std::hypot(force_N_.x_m, force_N_.y_m);
  if (pulls_N > held_N) {
    force_N_.x_m *= held_N / pulls_N;
    force_N_.y_m *= held_N / pulls_N;
  }
  return force_N_;
}

}  // namespace tactelier::pad
