#pragma once
// A stretch of a LuGre trace at once. What a step of the bristles (libcalib/models/lugre.hpp) takes
// from speed and load alone (two exponentials a row) is computed for all rows together, in vector
// instructions; z and its derivatives then follow row by row with a few products each.

#include <Eigen/Core>
#include <array>

#include "libcalib/models/lugre.hpp"

namespace tactelier {

constexpr Eigen::Index kLugreBlockRows = 64;

/// Force and its derivatives by the six parameters and by the first z, at the end of each row.
class LugreBlock {
 public:
  using Rows = Eigen::Array<double, Eigen::Dynamic, 1, Eigen::ColMajor, kLugreBlockRows, 1>;
  using Gradients = Eigen::Matrix<double, Eigen::Dynamic, kLugreSize + 1, Eigen::ColMajor,
                                  kLugreBlockRows, kLugreSize + 1>;

  LugreBlock(const LugreValues& values, double period_s, double start_m)
      : p_(values), period_s_(period_s), z_m_(start_m) {}

  /// The next `count` <= kLugreBlockRows rows; speed in m/s, load in N.
  void steps(const double* velocity_m_per_s, const double* normal_N, Eigen::Index count);

  const Rows& force_N() const { return force_N_; }
  const Gradients& gradients() const { return gradients_; }

 private:
  enum Bent { kBySigma0, kByStatic, kByDynamic, kByStribeck, kBentSize };  // what z depends on

  void follow(Eigen::Index count);
  void force_and_gradients(const Rows& v);

  LugreValues p_;
  double period_s_;
  double z_m_;
  std::array<double, kBentSize> slope_{};  // dz/dp
  double start_slope_ = 1;                 // dz/dz(0)
  // Of each row.
  Rows a_, keep_, gain_, turn_;       // sigma0 |v| / g; exp(-a dt); z gained; d(z gained)/da
  std::array<Rows, kBentSize> rate_;  // da/dp
  Rows z_;
  std::array<Rows, kBentSize> slopes_;
  Rows start_slopes_;
  Rows force_N_;
  Gradients gradients_;
};

}  // namespace tactelier
