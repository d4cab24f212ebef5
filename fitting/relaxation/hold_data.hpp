#pragma once
// Presses that stand still: their force over time as the relaxation fit wants it.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fitting/recording/fit_context.hpp"
#include "fitting/relaxation/depth_creep.hpp"
#include "fitting/relaxation/prony_fit.hpp"

namespace tactelier {

struct HoldPress {
  std::size_t session = 0;  // index into the context's
  int press = 0;            // its number
  std::string where;        // "pad.tact press 7"
  std::optional<int> tactel;
  std::string mount;
  bool at_force = false;            // creep: the force was held
  double depth_m = 0;               // reached
  double force_N = 0;               // at the begin of the hold
  double begin_s = 0;               // the stage has stopped
  double length_s = 0;              // of the hold
  double shows_s = 0;               // of it and before, over which slow relaxation shows
  double ramp_s = 0;                // from first touch, or the rest before, to the hold
  std::optional<DepthCreep> creep;  // of a hold at a force, m
  double white_N = 0;               // noise of one force sample
  double u_late_s = 0;              // of when lines began, common to all holds
  HoldTrace trace;      // what came before at this place, the ramp, then readings at rest in
                        // groups that grow with time
  TauWindow window;     // what this hold can show
  std::string refusal;  // why it can't be used
};

/// All usable presses with a hold. Fails only for damage and cancellation.
Result<std::vector<HoldPress>> load_holds(const FitContext& context);

/// Whether relaxation is to be had from them.
bool any_shows_relaxation(std::span<const HoldPress> holds);

}  // namespace tactelier
