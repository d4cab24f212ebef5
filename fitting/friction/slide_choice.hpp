#pragma once
// With which slides a search begins: all that a motor and its lines can be known by, in a fraction
// of the time.

#include "fitting/friction/slide_tracks.hpp"

namespace tactelier {

/// The same contacts, of which some hold no slides: slides of every speed under the load nearest to
/// the reference, and each for so long as tells. What is left out was slid all the same
/// (SlideContact::slid_before_m). How friction goes with load and sliding they hardly show.
SlideTracks few_slides(const SlideTracks& tracks);

/// Whether all slides went under one load, which can't show how friction goes with it.
bool one_load(const SlideTracks& tracks);

}  // namespace tactelier
