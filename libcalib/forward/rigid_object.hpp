#pragma once
// A rigid body that lies or falls on a sensor, and how it moves.

#include "libcalib/forward/tactel_ray.hpp"

namespace tactelier {

/// Local axes as an indenter's: tip at the origin, z up; what touches the sensor is the underside.
struct RigidObject {
  Indenter shape;
  double mass_kg = 0;
  Vector3 centre_m{0, 0, 0};       // of mass, local
  Vector3 inertia_kg_m2{0, 0, 0};  // about it, along the local axes
};

/// A solid block of even density on its face x by y.
RigidObject solid_block(const Vector3& size_m, double mass_kg);

/// In S; velocities of the centre of mass.
struct ObjectMotion {
  Vector3 tip_m{0, 0, 0};
  Matrix3 S_from_local = kNoTurn;
  Vector3 velocity_m_per_s{0, 0, 0};
  Vector3 turn_rate_rad_per_s{0, 0, 0};

  bool finite() const;
};

/// Forces along and about the axes of S, or velocities: what a body has six of.
using Six = std::array<double, 6>;

/// Symmetric and positive definite, the lower triangle row by row.
class SixBySix {
 public:
  /// Adds factor * a a^T.
  void add(double factor, const Six& a);
  double& at(std::size_t row, std::size_t column) { return lower_[row * (row + 1) / 2 + column]; }

  /// x of A x = b, by Cholesky's decomposition; the matrix is used up.
  Six solve(Six b);

 private:
  std::array<double, 21> lower_{};
};

}  // namespace tactelier
