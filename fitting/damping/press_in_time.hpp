#pragma once
// One press as it went: what fits in time read, with why it can't be used where it can't.

#include <string>
#include <string_view>
#include <vector>

#include "fitting/recording/fit_context.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/relaxation/prony_fit.hpp"
#include "fitting/relaxation/rubber_memory.hpp"

namespace tactelier {

struct PressInTime {
  std::string refusal;                   // code and words; nothing else is filled then
  PressData data;                        // on the force's times
  std::vector<double> depth_m, force_N;  // of every row of data; bias removed
  std::vector<double> nut_m;             // travel without backlash, bending of the rig included
  HoldTrace before;  // where the indenter went at this place earlier; empty: nothing remembered
  double sigma_force_N = 0;
  double u_contact_m = 0;  // standard uncertainty of the contact point
  double rig_m = 0;        // what the rig bends at the peak
};

/// `slowest_tau_s` of the pad's branches, 0 where it does not relax: then nothing is remembered;
/// else it is met as it was when rested; `lines`: how the stage went before, where its own answers
/// are too few to tell. `what` needs force and stage travel, for the refusal.
/// Fails only for damage and cancellation.
Result<PressInTime> press_in_time(const FitContext& context, std::size_t session, std::size_t press,
                                  double slowest_tau_s, std::string_view what,
                                  const StageLines* lines = nullptr);

/// Slowest period of the stage's samples among `sessions`; 0: none recorded a stage.
double slowest_stage_s(const FitContext& context, const std::vector<std::size_t>& sessions);

}  // namespace tactelier
