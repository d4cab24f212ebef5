#pragma once
// Everything that the slides of a fit tell about friction, before it becomes a model's parameters.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fitting/friction/lugre_fit.hpp"
#include "fitting/friction/slide_data.hpp"
#include "fitting/friction/stribeck_fit.hpp"
#include "fitting/statistics/identified.hpp"

namespace tactelier {

struct LoadFit {
  double load_N = 0;
  LugreFit fit;
};

/// What only whole slides tell (slide_search.hpp), at the reference load.
struct WholeSlides {
  Estimate load_exponent, running_in;
  Estimate log_length;        // of running-in, m
  std::string no_exponent;    // why the first is refused,
  std::string no_running_in;  // and the other two
  std::string no_static;      // why mu_s and v_s are
  std::string no_damping;     // why sigma1 is
  std::string step_shape;     // jump, smooth, ringing; empty where the slides don't tell
  double u_shape = 0;         // of mu_d, relative, by the shape of the motor's steps
  double backlash_m = 0, microstep_error_m = 0, delay_s = 0;
  Estimate side_m_per_N;  // what the rig gives along the surface, where it was fitted as well
  double ring_hz = 0, ring_damping = 0;  // of the axis after a step; 0: it does not ring
  double blocks_left_out = 0;            // 10 ms each
};

struct FrictionEstimate {
  std::vector<SlidePoint> points;     // steady, of all loads
  std::optional<StribeckFit> steady;  // of all loads together
  std::optional<LugreFit> joint;      // traces of all loads, or of the reference load
  std::string form;                   // "constant" or "proportional"
  bool form_decided = false;          // by two loads or more
  double reference_N = 0;             // the middle load
  std::vector<LoadFit> by_load;
  bool loads_agree = true;
  bool motion_measured = false;  // all motion was sampled fast enough

  std::optional<WholeSlides> whole;  // then `joint` is theirs

  std::string no_curve;      // why mu_s, mu_d, v_s, c_t are refused
  bool is_level = false;     // then mu_d is the level of few speeds, and not refused
  std::string no_stribeck;   // why mu_d and v_s are (FR-02)
  bool no_drop = false;      // FR-08: mu_d = mu_s, v_s dropped
  bool of_rows = false;      // of a table: no traces; without a drop the level is mu_d
  std::string no_viscous;    // why c_t is, where the law has none
  std::string no_bristles;   // why sigma0 and sigma1 are
  double damping_ratio = 0;  // w sigma1 / sigma0 at the highest frequency
  Warnings warnings;
};

/// `runs` of all sessions. Fails only when cancelled.
Result<FrictionEstimate> estimate_friction(std::span<const SlideRun> runs, const Job& job);

}  // namespace tactelier
