#pragma once
// The long-time stiffness that one press shows, once it is known how the pad relaxes: everything
// that goes with time is computed from the motion, and two numbers are left to fit.
//   F = k X + own,   X = F_e/k (1 + hysteresis + rate) + sum r_j h_j/k     (joint_fit.hpp)
// own: the contact point's error, as a force.

#include <limits>
#include <span>

#include "fitting/joint/joint_fit.hpp"
#include "fitting/statistics/identified.hpp"

namespace tactelier {

/// One press from first touch to letting go; vectors of equal length.
struct PressCourse {
  std::span<const double> time_s;
  std::span<const double> depth_m;  // below 0 before touch
  std::span<const double> force_N;  // bias removed
  // What an earlier press at this place reached. Deeper rubber is virgin (first_cycle.hpp), and
  // what comes after it is not the same rubber either: rows count until the press first goes
  // deeper.
  double seen_m = std::numeric_limits<double>::infinity();
};

struct RelaxedStiffness {
  Estimate tangent;   // dF_e/ddepth at first touch, N/m
  double secant = 0;  // of F_e through first touch over the press's depths: what k_punch is
};

/// `before`: where the indenter went at this place earlier. `pad` knows hardening, relaxation,
/// hysteresis and damping; its k is the place's that c_n belongs to. Fails with kUnidentifiable
/// when fewer than 20 readings are in contact.
Result<RelaxedStiffness> relaxed_stiffness(const PressCourse& press, const DepthPath& before,
                                           RateModel model, const JointValues& pad);

}  // namespace tactelier
