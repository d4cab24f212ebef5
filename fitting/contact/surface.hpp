#pragma once
// Where the surface lies, from the contact points of many presses
// (docs/theory/contact-and-stiffness.md 3):
//   height = z0 + tan(tilt_x) y - tan(tilt_y) x + drift (t - t_mean)      stage frame, at first
//   touch
// x, y in the sensor frame; tilts are right-handed turns about its axes.

#include <optional>
#include <span>

#include "fitting/statistics/identified.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

struct SurfacePoint {
  double x_m = 0, y_m = 0;
  double time_s = 0;
  double height_m = 0;  // minus the travel at first touch
};

struct SurfaceFit {
  Estimate z0_m;  // over the array's centre, at the mean time
  Estimate tilt_x_rad, tilt_y_rad;
  Estimate tilt_rad;                      // of both together, never negative
  std::optional<Estimate> drift_m_per_s;  // upwards; with eight points over a minute or more
  double rms_m = 0;
  std::size_t points = 0;
  std::size_t downweighted = 0;  // points that lie far off
};

/// Huber's robust plane. Fails with kUnidentifiable (ID-01) with fewer than four points or points
/// on one line.
Result<SurfaceFit> fit_surface(std::span<const SurfacePoint> points);

}  // namespace tactelier
