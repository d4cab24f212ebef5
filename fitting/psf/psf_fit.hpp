#pragma once
// The joint fit of spread, registration and every tactel's response
// (docs/theory/point-spread.md 5).
// Levenberg-Marquardt on the arrow of psf_evaluate.hpp: the tactels' 2 x 2 blocks are eliminated,
// what remains to solve has as many columns as there are shared parameters and scales of presses.

#include "fitting/psf/psf_evaluate.hpp"
#include "libcalib/job.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

struct PsfLimits {
  double lowest_sigma_m = 0, highest_sigma_m = 0;  // 0.15 and 3 pitches
  double largest_shift_m = 0;                      // half a pitch
  double largest_ghosting = 0.2;                   // of either sign
};
PsfLimits psf_limits(double pitch_m);

struct PsfFit {
  PsfModel model;
  PsfState state;
  double cost = 0;  // half the sum of squared whitened residuals
  int iterations = 0;
  std::vector<int> held;  // shared columns that are known, then those that rest on a limit
  PsfNormal normal;       // at the solution
  PsfShares shares;       // at the solution
};

/// A shared parameter rests on its limit.
bool at_limit(const PsfProblem& problem, const PsfFit& fit);

/// Slopes and intercepts of every tactel by straight lines through its answering rows, at the
/// shares that `state` gives.
void start_responses(const PsfProblem& problem, const PsfModel& model, PsfState& state);

/// The best of a grid of spreads, each with its own straight lines; registration zero.
PsfState psf_start(const PsfProblem& problem, const PsfModel& model);

/// Fails with kCancelled when stopped, with kUnidentifiable when no step lowers a cost that is not
/// finite.
Result<PsfFit> fit_psf(const PsfProblem& problem, const PsfModel& model, PsfState start,
                       const Job& job = {});

/// The same, then once more from straight lines at the spread found (a threshold can rest on the
/// wrong side of its kink when the spread began far away); the lower cost stays.
Result<PsfFit> fit_psf_twice(const PsfProblem& problem, const PsfModel& model, PsfState start,
                             const Job& job = {});

}  // namespace tactelier
