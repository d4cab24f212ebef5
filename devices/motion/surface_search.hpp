#pragma once
// Where the pad is: guarded touches at five places find height and tilt of its surface.
//
// Each touch goes down in steps of 20 um at 0.1 mm/s until max(50 mN, 8 sigma) and a little
// further, resting after each step. Force grows linearly with depth under a flat tip that has only
// just touched: a line through the loaded steps meets zero force at the surface. What is so stiff
// that one step is too much, as a pad under a plate is, is touched again in steps of 2 um; where
// the stage makes none, the surface lies between the last step in air and the first in touch.
// Plane by least squares: z(x, y) = z0 + y tan(tilt_x) - x tan(tilt_y).

#include <array>
#include <vector>

#include "devices/motion/rig_motion.hpp"

namespace tactelier::rig {

struct TouchPoint {
  double x_m = 0, y_m = 0;  // sensor frame
  double z_m = 0;           // stage frame: where force begins
  double u_m = 0;           // standard uncertainty
};

struct FoundSurface {
  Surface surface;
  double u_z0_m = 0, u_tilt_x_rad = 0, u_tilt_y_rad = 0;
  std::vector<TouchPoint> points;
  Warnings warnings;  // TILT over 0.5 deg

  double tilt_rad() const;
};

/// Over how far it looks, from the believed height.
struct SearchRange {
  double above_m = 1e-3;
  double below_m = 2e-3;
  double speed_m_per_s = 0.1e-3;  // until something is touched
};

/// One touch at a place; the tip is back at the safe height afterwards. Fails with kUnidentifiable
/// when nothing is there.
Result<TouchPoint> touch_down(LiveRig& live, RigMotion& motion, double x_m, double y_m,
                              const SearchRange& range);

/// Fails with kUnidentifiable on a tilt over 2 deg. `on_point(done, of)`.
Result<FoundSurface> find_surface(LiveRig& live, RigMotion& motion, const SensorDescription& sensor,
                                  const RigFile& rig,
                                  const std::function<void(int, int)>& on_point = {});

/// What is touched: a pad under a tip that covers it, as a plate does, is stiff.
enum class PadUnderTip { kSoft, kStiff };

/// By one touch at the pad's middle. The tilt stays what the rig file says, with no uncertainty of
/// its own.
Result<FoundSurface> find_height(LiveRig& live, RigMotion& motion, const SensorDescription& sensor,
                                 const RigFile& rig, PadUnderTip pad,
                                 const std::function<void(int, int)>& on_point = {});

/// Needs three points that aren't in a line.
Result<FoundSurface> plane_through(const std::vector<TouchPoint>& points);

}  // namespace tactelier::rig
