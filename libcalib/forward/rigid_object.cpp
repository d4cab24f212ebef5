#include "libcalib/forward/rigid_object.hpp"

#include <cmath>

namespace tactelier {

RigidObject solid_block(const Vector3& size_m, double mass_kg) {
  RigidObject block;
  block.shape.shape = IndenterShape::kBox;
  block.shape.x_m = size_m[0];
  block.shape.y_m = size_m[1];
  block.shape.z_m = size_m[2];
  block.mass_kg = mass_kg;
  block.centre_m = {0, 0, size_m[2] / 2};
  const double xx = size_m[0] * size_m[0], yy = size_m[1] * size_m[1], zz = size_m[2] * size_m[2];
  block.inertia_kg_m2 = scaled({yy + zz, xx + zz, xx + yy}, mass_kg / 12);
  return block;
}

bool ObjectMotion::finite() const {
  double all = 0;
  for (const auto& part : {tip_m, velocity_m_per_s, turn_rate_rad_per_s, S_from_local[0],
                           S_from_local[1], S_from_local[2]})
    for (const double number : part) all += std::abs(number);
  return std::isfinite(all);
}

void SixBySix::add(double factor, const Six& a) {
  for (std::size_t row = 0, i = 0; row < 6; ++row)
    for (std::size_t column = 0; column <= row; ++column, ++i)
      lower_[i] += factor * a[row] * a[column];
}

Six SixBySix::solve(Six b) {
  for (std::size_t j = 0; j < 6; ++j) {
    for (std::size_t k = 0; k < j; ++k) at(j, j) -= at(j, k) * at(j, k);
    at(j, j) = std::sqrt(at(j, j));
    for (std::size_t i = j + 1; i < 6; ++i) {
      for (std::size_t k = 0; k < j; ++k) at(i, j) -= at(i, k) * at(j, k);
      at(i, j) /= at(j, j);
    }
  }
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= at(i, k) * b[k];
    b[i] /= at(i, i);
  }
  for (std::size_t i = 6; i-- > 0;) {
    for (std::size_t k = i + 1; k < 6; ++k) b[i] -= at(k, i) * b[k];
    b[i] /= at(i, i);
  }
  return b;
}

}  // namespace tactelier
