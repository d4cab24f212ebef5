#pragma once
// The tip on something rigid: it sticks up to Coulomb's limit, and what it is moved by beyond the
// touched point bends the rig sideways.
//   F' = v/(C_shear + C_touch),  |F| <= mu N
// C_touch is Mindlin's, 1/(8 a G*), of a steel pin of 1 mm: K. L. Johnson, Contact Mechanics
// (1985), section 7.2. mu of dry steel on steel.

#include "libcalib/pad/polygon.hpp"

namespace tactelier::pad {

class Grip {
 public:
  explicit Grip(double shear_m_per_N) : compliance_m_per_N_(shear_m_per_N + kTouch_m_per_N) {}

  /// Force on the plate [N] after the tip was moved by so much under a load; without one it lets
  /// go.
  Point step_N(Point by_m, double normal_N);

 private:
  static constexpr double kTouch_m_per_N = 8e-9;
  static constexpr double kFriction = 0.22;

  double compliance_m_per_N_;
  Point force_N_;
};

}  // namespace tactelier::pad
