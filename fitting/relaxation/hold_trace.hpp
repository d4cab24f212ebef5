#pragma once
// One hold of a press as the relaxation fit wants it: the way from first touch, then readings at
// rest in groups that grow with time (docs/theory/damping-and-relaxation.md 3).

#include <span>

#include "fitting/contact/contact.hpp"
#include "fitting/recording/computed_travel.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/relaxation/hold_data.hpp"

namespace tactelier {

/// What is known of the way from first touch into the hold.
struct Ramp {
  enum Kind { kUnknown, kSampled, kComputed };
  Kind kind = kUnknown;
  Lateness late{};   // of a computed one
  double end_s = 0;  // of a computed one: later, the rest was seen to begin
};

/// The hold from when the stage stood, where its line tells; else from when it was seen to stand.
Hold begun_after(const Ramp& ramp, Hold hold);

/// A stage with fewer positions of its way than this does not show it.
constexpr double kRampSamples = 20;

/// Fills `result` or its refusal. Its ramp_s, shows_s and what came before at this place (in its
/// trace) are the caller's. `depth_m` from first touch, by row of `data`.
void fill_trace(const PressData& data, const Hold& hold, const PressContact& contact,
                std::span<const double> depth_m, Ramp ramp, HoldPress& result);

}  // namespace tactelier
