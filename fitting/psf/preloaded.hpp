#pragma once
// Ghosting from presses beside a weight (protocol step `weights` with `until`). Tactels under the
// weight are above their dead zone, and three pitches away no pad carries anything of the press:
// what they rise by is slope_i gamma L_i F, with L_i the press's shares summed over the others of
// row and column. The presses that show the spread cannot tell gamma from it so well, nor gamma
// from an array's gains (docs/theory/point-spread.md 6).

#include <optional>
#include <vector>

#include "fitting/psf/psf_base.hpp"
#include "fitting/psf/psf_fit.hpp"
#include "fitting/recording/press_data.hpp"

namespace tactelier {

struct PsfData;

/// What one raised tactel reads more per newton of the press.
struct RaisedTactel {
  int index = 0;  // in the layout
  double counts_per_N = 0;
  double variance = 0;  // of it, from the readings' noise
};

struct PreloadedPress {
  PsfPress press;
  std::vector<RaisedTactel> tactels;
};

/// `live`: the tactels whose counts `data` holds.
PreloadedPress preloaded_press(const FitContext& context, std::size_t session,
                               const PressData& data, const PsfPress& press,
                               const std::vector<int>& live,
                               const std::vector<PsfTactelBase>& bases);

/// Ghosting at the slopes and spread of `fit`; nothing where no such press saw it. `press_scatter`:
/// relative, of whole presses.
std::optional<MeasuredGhosting> measure_ghosting(const PsfData& data, const PsfFit& fit,
                                                 double press_scatter);

}  // namespace tactelier
