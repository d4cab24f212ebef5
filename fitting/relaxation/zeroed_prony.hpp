#pragma once
// Holds whose depth is not known to its last micrometres: the steps of the stage, its microstep
// error and the drift of the surface move the zero of the depth from press to press, which looks
// like a fast branch or hides one; so does a line that began later than was thought; and a surface
// that warms up and moves looks like a slow one. Each hold h has a zero z_h, a lateness l_h and a
// drift r_h, as well known beforehand as the trace says, and a stiffness scale s_h:
//
//   F = s_h [k (d + z_h + r_h (t - t0)) + sum k_i e^(l_h/tau_i) (B_i + z_h e^(-(t - t0)/tau_i))]
//
// t0 first touch, B_i the branch's depth as the motion left it. What branches make of the drift is
// g_i of it, and left out.

#include <span>

#include "fitting/relaxation/prony_fit.hpp"

namespace tactelier {

/// Least squares over stiffnesses, times, scales, zeros and latenesses at once, from `start` on,
/// which must belong to `traces` with their scales. The covariance knows of all. Times stay in the
/// window. Fails with kUnidentifiable where nothing finite is found.
Result<PronyFit> fit_zeroed_prony(std::span<const HoldTrace> traces, PronyFit start,
                                  TauWindow window);

}  // namespace tactelier
