#pragma once
// Where a search begins: which shape of the motor's steps, which microstep error and whether lines
// began late, from what nobody knows. Few slides (slide_choice.hpp) show that nearly as well as
// all.

#include <optional>

#include "fitting/friction/slide_walk.hpp"

namespace tactelier {

struct SlideStart {
  SlideFit fit;      // of these slides
  SlideValues rung;  // where steps ring, as it was found first; empty where none could be tried
};

/// Empty where the model can't be evaluated, or stopped.
std::optional<SlideStart> first_search(const SlideTracks& tracks, const Job& job, int threads);

}  // namespace tactelier
