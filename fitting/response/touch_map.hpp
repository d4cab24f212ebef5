#pragma once
// Does the tactel that was pressed also answer? An array wired or described in the wrong order
// gives every tactel a gain, only not its own.

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// What all tactels read around the peak of one press on a tactel's centre.
struct TouchAnswer {
  int pressed = 0;
  int brightest = 0;
  double own_counts = 0, brightest_counts = 0;  // above the offset
  double noise_counts = 0;                      // of the brightest, one reading
};

/// `rise[i]`: counts of tactel i above its offset during the press, NaN where not known;
/// `at_the_end`: such a rise may be cut by the converter. Empty when two tactels are cut: which is
/// brighter can't be told then.
std::optional<TouchAnswer> touch_answer(int pressed, std::span<const double> rise,
                                        double at_the_end, std::span<const double> noise_counts);

/// Readings of all tactels as the force on one passed `share` of the press's peak. Empty where the
/// recording does not show them.
Result<std::optional<TouchAnswer>> read_touch(const FitContext& context,
                                              const PressContact& contact, int pressed,
                                              double time_s, double period_s,
                                              std::span<const double> offsets,
                                              std::span<const double> noise_counts);

struct Misplaced {
  int answers = 0;      // the tactel that reads the press
  bool swapped = true;  // in a closed ring: presses on `answers` are read by another of the ring
  std::vector<int> ring;
  std::string reason;  // code and words
};

/// Tactels whose press another one reads. A dead tactel whose neighbour reads its share of the
/// force is not among them: the neighbour's own press is the neighbour's.
std::map<int, Misplaced> find_misplaced(std::span<const TouchAnswer> answers,
                                        const SensorDescription& sensor);

}  // namespace tactelier
