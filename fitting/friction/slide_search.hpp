#pragma once
// Which of several forward models whole slides follow (docs/theory/friction.md 13). A motor's step
// may be a jump, no jump at all, or rung out; what may be said of friction then is decided in
// slide_verdict.hpp.

#include <string>
#include <vector>

#include "fitting/friction/slide_solver.hpp"

namespace tactelier {

struct SlideResult {
  SlideFit fit;                     // of the best shape
  std::vector<SlideFit> others;     // of the other shapes, the better one first
  double reference_N = 0;           // load for which the coefficients hold
  double top_m_per_s = 0;           // highest and
  double least_m_per_s = 0;         // lowest speed of the slides
  bool form_decided = false;        // whether sigma0 goes with the load
  std::string why_not;              // nothing may be said: code and words
  std::string no_static;            // why mu_s and v_s are refused
  std::string no_damping;           // why sigma1 is
  std::string no_exponent;          // why the load's exponent is
  std::string no_running_in;        // why r and L are
  std::size_t blocks_left_out = 0;  // 10 ms each, after a blow against the rig
  double u_shape = 0;               // of mu_d, relative: what the shape of the steps does to it

  bool found() const { return why_not.empty(); }
};

/// Fails only when cancelled.
Result<SlideResult> search_slides(const SlideTracks& tracks, const Job& job, int threads = 1);

}  // namespace tactelier
