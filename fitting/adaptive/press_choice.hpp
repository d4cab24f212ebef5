#pragma once
// Which presses come next: those that narrow most what is still too wide, per second of rig time.
//
//   score of a press = sum over wanted parameters j of  w_j (variance taken from j) / target_j^2
//                      over its seconds,           w_j = max(0, variance_j / target_j^2 - 1)
//
// one after the other, each believed as soon as it is chosen. Presses where rubber still recovers
// from one just before are left out. Every tenth is an anchor on one tactel, so that drift shows
// beside what was pressed when; of every ten one is a repeat of an earlier one.
// docs/theory/adaptive.md

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "fitting/adaptive/press_information.hpp"

namespace tactelier::adaptive {

/// What a press may be.
struct PressRange {
  std::vector<std::array<double, 2>> places_m;  // tactel centres first, in their order
  std::vector<double> forces_N;                 // rising
  double speed_m_per_s = 0;
  double travel_m_per_s = 0;  // from place to place
  double rest_s = 0;          // at rest before and after, with the way up and down through air
  double tip_radius_m = 0;
  int anchor = 0;                            // tactel
  int anchor_every = 10, repeat_every = 10;  // presses; 0: none
};

/// Half-pitch grid over the array, forces in steps of a half up to `most_N`.
PressRange press_range(const SensorDescription& sensor, const Indenter& tip, double most_N);

/// A parameter that is still wanted.
struct Wanted {
  Eigen::Index column = 0;
  double target = 0;  // standard uncertainty, relative
  double scale = 1;   // of the information's variance to what the fit states
};

struct ChosenPress {
  PressThought press;
  std::string why;  // "gains of 31, 32", "anchor", "repeat"
};

class PressChoice {
 public:
  PressChoice(PressRange range, std::uint64_t seed) : range_(std::move(range)), random_(seed) {}

  /// `before`: presses so far, in order. The chosen ones are added to `information`. Where
  /// nothing is wanted any more earlier presses are repeated.
  std::vector<ChosenPress> batch(PressInformation& information, std::span<const Wanted> wanted,
                                 std::span<const PressThought> before, int count);

 private:
  PressThought thought(std::size_t place, double force_N, const PressInformation& of) const;
  bool recovers(const PressThought& press, std::span<const PressThought> before,
                const PressInformation& information) const;
  double seconds(const PressThought& press, const PressThought* before) const;

  PressRange range_;
  std::mt19937_64 random_;
};

}  // namespace tactelier::adaptive
