#pragma once
// What may be said of friction after whole slides were fitted by each shape of the motor's steps
// (docs/theory/friction.md 13). mu_d, sigma0, the load's exponent and running-in come out alike
// with all of them, mu_s and v_s need not. So these two are released only where the data tell the
// shapes apart, or where those that they don't tell apart agree.

#include "fitting/friction/slide_search.hpp"

namespace tactelier {

constexpr double kGoodSlideFit = 1.05;  // chi2 per block of the best shape

/// Infinite where nothing is known.
double standard_uncertainty(const SlideFit& fit, SlideIndex index);

/// Fills why_not, no_static, no_damping and u_shape of a search that has ended, and adds to the
/// covariance what a shape that fits nearly as well would have given. `step_m`: of the stage.
void judge_slides(double step_m, SlideResult& result);

}  // namespace tactelier
