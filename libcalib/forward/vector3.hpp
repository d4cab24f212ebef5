#pragma once
// Arithmetic of points, directions and turns in space.

#include <array>
#include <cmath>

#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

inline Vector3 plus(const Vector3& a, const Vector3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Vector3 minus(const Vector3& a, const Vector3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Vector3 scaled(const Vector3& a, double factor) {
  return {factor * a[0], factor * a[1], factor * a[2]};
}
inline double dot(const Vector3& a, const Vector3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Vector3 unit(const Vector3& a) { return scaled(a, 1 / std::sqrt(dot(a, a))); }

/// Rows of a linear map; of a turn its inverse is the transpose.
using Matrix3 = std::array<Vector3, 3>;
constexpr Matrix3 kNoTurn{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

inline Vector3 times(const Matrix3& m, const Vector3& a) {
  return {dot(m[0], a), dot(m[1], a), dot(m[2], a)};
}
inline Matrix3 transposed(const Matrix3& m) {
  return {{{m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]}, {m[0][2], m[1][2], m[2][2]}}};
}
inline Matrix3 times(const Matrix3& a, const Matrix3& b) {
  const auto columns = transposed(b);
  return transposed({{times(a, columns[0]), times(a, columns[1]), times(a, columns[2])}});
}

/// A right-handed turn about an axis through the origin, by its length in radians (Rodrigues).
inline Matrix3 turn_about(const Vector3& axis_rad) {
  const double angle_rad = std::sqrt(dot(axis_rad, axis_rad));
  if (angle_rad == 0) return kNoTurn;
  const auto n = scaled(axis_rad, 1 / angle_rad);
  const double c = std::cos(angle_rad), s = std::sin(angle_rad);
  Matrix3 turn;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) turn[i][j] = (1 - c) * n[i] * n[j] + (i == j ? c : 0);
  const auto skew = scaled(n, s);
  turn[0][1] -= skew[2];
  turn[0][2] += skew[1];
  turn[1][0] += skew[2];
  turn[1][2] -= skew[0];
  turn[2][0] -= skew[1];
  turn[2][1] += skew[0];
  return turn;
}

}  // namespace tactelier
