#pragma once
// How much of the stage's travel bends the rig instead of the pad
// (docs/theory/contact-and-stiffness.md 2):
//   z = z0 + C1 F + C2 (1 - exp(-F / F0))     C1 the linear frame, C2 and F0 its seating
// found by pressing the bare tip on a rigid plate. While unloading the tip stays behind by the
// stage's backlash: what the position says then is not where the tip is.

#include <array>
#include <span>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier {

/// Deflection of everything between depth gauge and tip. All zero: a rigid rig.
struct RigCompliance {
  double c1_m_per_N = 0;
  double c2_m = 0;
  double f0_N = 1;
  double u_c1_m_per_N = 0;  // standard uncertainty of the linear part
  bool unknown = false;     // neither measured nor stated: counted as 0
  double backlash_m = 0;    // travel lost on reversal; none while loading

  /// 0 for force_N <= 0.
  double deflection_m(double force_N) const;
  bool rigid() const { return c1_m_per_N == 0 && c2_m == 0; }
};

/// Where the tip is: `travel_m` (positive down, in order of time, from loading on) without
/// backlash and what the rig bends under `force_N` (bias removed). Equal lengths.
std::vector<double> tip_travel_m(const RigCompliance& rig, std::span<const double> travel_m,
                                 std::span<const double> force_N);

/// One press of the plate: travel (positive down) and force of equal length, bias removed.
struct PlatePress {
  std::vector<double> travel_m;
  std::vector<double> force_N;
};

struct PlateFit {
  RigCompliance compliance;
  std::vector<double> z0_m;  // one per press
  double u_c2_m = 0;
  double u_f0_N = 0;
  double u_z0_m = 0;  // of the first press
  double rms_m = 0;
  int samples = 0;
  bool seating = true;  // false: the straight line, C2 = 0
};

/// Least squares of travel on force (force is the clean variable) over all presses, each with a z0
/// of its own. Falls back to the straight line where seating does not show (C2 <= 0).
/// Fails with kUnidentifiable with fewer than 8 samples or without a range of forces.
Result<PlateFit> fit_plate(std::span<const PlatePress> presses);

/// The straight line z = z0 + C F alone, over forces >= min_force_N.
Result<PlateFit> fit_plate_line(std::span<const PlatePress> presses, double min_force_N);

/// Ways in and out of each press as presses of their own, in pairs: their heights differ by the
/// backlash. Left out is the turn, where the tip stands still. Empty when a press has no way out.
std::vector<PlatePress> plate_ways(std::span<const PlatePress> presses);

}  // namespace tactelier
