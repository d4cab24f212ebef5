#pragma once
// What a simulator must be able to do with an exported pad so that it can be verified: be pressed
// by a plate, be pressed on one tactel, be slid on. Plain numbers in and out, no noise.

#include <string>
#include <vector>

#include "libcalib/result.hpp"
#include "reports/verify/pad_shapes.hpp"

namespace tactelier {

struct TargetFacts {
  std::string engine;   // "MuJoCo"
  std::string version;  // "2.2.2"
  double time_step_s = 0;
  double solver_tolerance = 0;
};

/// What the target shows: forces in the order of the tactels.
struct PressSeen {
  double depth_m = 0;
  std::vector<double> force_N;
};

class PressTarget {
 public:
  virtual ~PressTarget() = default;
  virtual TargetFacts facts() const = 0;
  /// A plate over the whole pad at rest under a load. Level pads only, as all of a plate.
  virtual Result<PressSeen> plate_at_rest(double load_N) = 0;
  /// The plate on its way in at a constant speed, when it is at least this deep.
  virtual Result<PressSeen> plate_moving(double depth_m, double speed_m_per_s) = 0;
  /// Lateral by normal force on a plate that slides at this depth; means over the way.
  virtual Result<double> friction_of_plate(double depth_m, double speed_m_per_s) = 0;
  /// A ball narrower than a tactel, at rest on its centre under a load along its normal.
  virtual Result<PressSeen> tactel_at_rest(int tactel, double load_N) = 0;
  /// A shape over the middle of the pad, at rest under a load; where there are shapes for the pad.
  virtual Result<PressSeen> shape_at_rest(PadShape shape, double load_N) = 0;
};

}  // namespace tactelier
