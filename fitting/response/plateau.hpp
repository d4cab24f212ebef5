#pragma once
// Where readings end: levels that they keep while the force goes on changing. A converter or an
// amplifier cuts them to one value, noise and all, or they level off with their noise on top. Found
// from the readings alone, at either end, since few descriptions say where their sensor is cut.

#include <optional>
#include <span>
#include <vector>

#include "fitting/response/affine_fit.hpp"
#include "fitting/response/response_press.hpp"

namespace tactelier {

struct ForceSample {
  double force_N;
  double counts;
};

enum class ReadingEnd { kLowest, kHighest };

struct Plateau {
  Clip clip = Clip::kNone;  // kCensored: one value; kVisible: noise and all
  double counts = 0;
  double sd = 0;      // of its readings
  int readings = 0;   // there
  double edge_N = 0;  // the force at which it begins or ends
};

/// What plateaus are told from chance by.
struct PlateauScale {
  double slope = 0;  // counts/N in the middle of the range
  double noise = 0;  // counts, of one reading
  double step = 0;   // counts, of the converter
  double sigma_force_N = 0;
};

/// Loading samples of all presses, by force.
std::vector<ForceSample> loading_samples(std::span<const TactelPress> presses);

/// Slope in the middle of the range of counts; 0 where nothing can be said.
double middle_slope(std::span<const ForceSample> samples, double low, double high);

/// Readings equal to the last digit at that end while the line would have gone on. `at_limit`: the
/// converter ends there, so one such reading is enough.
std::optional<Plateau> exact_plateau(std::vector<ForceSample> samples, ReadingEnd end,
                                     const PlateauScale& scale, bool at_limit);

/// A level that the readings keep with their noise. A curve that only flattens is none.
std::optional<Plateau> noisy_plateau(std::vector<ForceSample> samples, ReadingEnd end,
                                     const PlateauScale& scale);

/// Noise of one reading within its press, from second differences: free of any smooth course.
double local_noise(std::span<const TactelPress> presses);

}  // namespace tactelier
