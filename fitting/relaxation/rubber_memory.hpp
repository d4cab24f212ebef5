#pragma once
// Rubber remembers: what earlier presses at a place did to it is not over when the next one comes.

#include <span>

#include "fitting/recording/commanded_path.hpp"
#include "fitting/recording/fit_context.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/relaxation/prony_fit.hpp"

namespace tactelier {

/// The same indenter on the same tactel, or on places closer than half a millimetre.
bool same_place(const Press& a, const Press& b);

/// `own` with the surface as the first press at this place met it, rested. Rubber that has not come
/// back yet is met too late, and its force is the fit's business.
PressContact at_rest(const FitContext& context, std::size_t session, std::size_t press,
                     const PressContact& own);

/// How long a press is remembered by a branch, s: until 0.25 % of what it did is left.
constexpr double remembered_s(double slowest_tau_s) { return 6 * slowest_tau_s; }

/// Appends rows that carry depth only: few where it stays, every 10 ms where it moves.
void add_path(std::span<const double> time_s, std::span<const double> depth_m, HoldTrace& trace);

/// How the stage moved, of one whose own answers are too few to tell.
struct StageLines {
  const CommandedPath& path;
  double late_s;  // of each line
};

/// Puts the depths of presses before at the same place in front of `trace`: the last three, and all
/// that ended less than `back_s` before. With `lines` their motion is computed where it can be.
Result<void> add_history(const FitContext& context, std::size_t session, std::size_t press,
                         HoldTrace& trace, double back_s = 0, const StageLines* lines = nullptr);

}  // namespace tactelier
