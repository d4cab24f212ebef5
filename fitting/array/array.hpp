#pragma once
// Stage "array": the whole array as one sensor of force,
//   F = intercept + sum over tactels of weight * reading,
// for whoever wants the force on the array and not where it acts. Needs no places: presses that
// nobody knows the tactel of, or that load several at once, are what it is made for. What it is
// worth is judged by presses that took no part (docs/theory/response.md 13). Beside it what a data
// sheet says of an array: its sum against force, creep, what a cycle loses, the centres of presses.

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// Fills model.array. Fails on damage or cancellation only.
Result<void> run_array(FitContext& context);

}  // namespace tactelier
