#pragma once
// The loads and depths at which a pad is pressed again, whatever the target, and what our model
// says of each: the spring of our own soft contact, hardening included where the format holds it.

#include <array>

#include "libcalib/forward/foundation_column.hpp"
#include "reports/export/mujoco_pad.hpp"

namespace tactelier {

inline constexpr std::array kPressLevels{0.1, 0.3, 0.5, 0.7, 0.9};  // of the range
inline constexpr double kStaticTolerance_percent = 1;
inline constexpr double kHardeningTolerance_percent = 0.1;
inline constexpr double kDampingTolerance_percent = 3;
inline constexpr double kFrictionTolerance_percent = 1;
inline constexpr double kImageTolerance_percent = 0.5;  // relative L1

class PressList {
 public:
  /// Fails with kUnidentifiable when the model states no range of forces and the pad no travel.
  static Result<PressList> create(const SensorModel& model, const MujocoPad& pad);

  /// On one tactel, what the model is valid for as far as the pad gives way.
  std::array<double, 2> force_N() const { return range_N_; }
  double fastest_m_per_s() const { return fastest_m_per_s_; }
  double load_N(double level) const { return range_N_[0] + level * (range_N_[1] - range_N_[0]); }

  double force_N(double depth_m) const { return column_.spring_N(depth_m); }
  /// Straight on beyond the last point of a curve.
  double depth_m(double force_N) const;
  /// Slow enough that the way is many time steps long.
  double speed_m_per_s(double depth_m, double time_step_s) const;

 private:
  PressList(const SensorModel& model, const MujocoPad& pad);

  FoundationColumn column_;
  double most_m_ = 0;  // as deep as the pad gives way and the law is known
  double fastest_m_per_s_ = 0;
  std::array<double, 2> range_N_{};
};

}  // namespace tactelier
