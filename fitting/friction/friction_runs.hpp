#pragma once
// Which of the recorded slides and swings can be used, and why the others can't.

#include <span>
#include <string>
#include <vector>

#include "fitting/friction/slide_data.hpp"
#include "fitting/friction/stribeck_fit.hpp"

namespace tactelier {

struct ChosenRuns {
  std::vector<const SlideRun*> slides;
  std::vector<const SlideRun*> brief;   // without a steady part, but with bristles known and their
                                        // motion measured, all of which can be fitted
  std::vector<const SlideRun*> swings;  // that show bristles
  std::vector<SlidePoint> attempted;    // speeds of all slides that were recorded
  std::string why_left_out;             // first reason; empty when all are used
  std::string no_swings;                // why none shows bristles: code and words
  double stiffness_N_per_m = 0;         // of the swings about, median; 0: there are none
  double top_frequency_hz = 0;          // of the swings
};

/// Warns once per code, with how many runs more it holds for.
ChosenRuns choose_runs(std::span<const SlideRun> runs, Warnings& warnings);

}  // namespace tactelier
