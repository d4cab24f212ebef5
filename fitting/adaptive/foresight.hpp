#pragma once
// What a session that chooses its presses still has before it: the choice goes on in thought, each
// press believed, until nothing is wanted any more.

#include <array>
#include <span>
#include <vector>

#include "fitting/adaptive/session_state.hpp"

namespace tactelier::adaptive {

/// Of the time that is expected: what people are told.
constexpr std::array kForesight{0.8, 1.5};

/// Some parameter is wider than its target.
bool any_open(const PressInformation& information, std::span<const Wanted> wanted);

struct Foresight {
  PressInformation information;  // at the end
  double further_s = 0;          // of rig time
  bool open = false;             // something is still wanted then
};

/// From `information` and the presses so far; `begun_s` of the further time is taken already, and
/// it ends where `allowed_s` is used up.
Foresight foresee(const PressInformation& information, PressChoice choice,
                  std::span<const Wanted> wanted, std::vector<PressThought> presses,
                  const AdaptiveSettings& settings, double begun_s, double allowed_s);

}  // namespace tactelier::adaptive
