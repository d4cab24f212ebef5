#pragma once
// Readings creep: under a force that stays they go on rising with the logarithm of time. By
// Boltzmann's superposition a tactel answers not to the force F but to
//
//   F(t) + c D(t),   D(t) = integral of log10(1 + (t - s)/1 s) dF(s)   since first touch,
//
// c per decade (docs/theory/response.md 9). A press of some seconds reads some tenths of c more
// than its gain says; gains found without that are as much too small.

#include <map>
#include <span>
#include <vector>

#include "fitting/statistics/identified.hpp"

namespace tactelier {

struct FitContext;
struct PressContact;
struct PressData;

/// A weight that was seen to be laid on the array.
struct LaidWeight {
  std::size_t session = 0;  // of FitContext::sessions
  double on_s = 0;
};

/// Of all tactels in common, found under weights that lay still (response/weight_creep.hpp).
struct ReadingCreep {
  double per_decade = 0;
  double u_per_decade = 0;            // standard
  std::map<int, Estimate> of_tactel;  // its own, where it showed
  std::vector<LaidWeight> weights;    // in order of time, session by session
  double u_gain = 0;  // relative, standard: what its correction leaves in gains of the presses
};

/// D of a force that is straight between its times (rising, s), N.
std::vector<double> creep_decades_N(std::span<const double> time_s,
                                    std::span<const double> force_N);

/// A load that a tactel bore before a hold of it.
struct EarlierLoad {
  double lasted_s = 0;
  double ended_before_s = 0;  // the hold began
};

/// How much of a creep that goes on with the logarithm of time the earlier loads, as heavy as what
/// is held, take from it: what they leave falls while the hold lasts (Boltzmann's superposition).
/// 0 after a long rest; above 1 the readings fall. `from_s`: where the hold's readings count from.
double creep_hidden(std::span<const EarlierLoad> earlier, double from_s, double hold_s);

/// Turns the press's force into what its readings answer to, from first touch until the pad is let
/// go. Leaves it as it is where no creep is known, the touch neither, or nothing went on in time.
void correct_creep(const FitContext& context, const PressContact& contact, PressData& data);

/// By how much more than at `from_s` a tactel reads what lies on it at `at_s`, per reading above
/// its dead zone's beginning; 0 without a weight laid on before.
double crept_under_weight(const FitContext& context, std::size_t session, double from_s,
                          double at_s);

/// Relative standard uncertainty that the correction leaves in a gain, from presses whose loading
/// lasted `loading_s`: creep's own, and half of the correction, as a rectangle, for how creep sets
/// in within the first seconds, which no weight shows.
double u_creep_correction(const ReadingCreep& creep, double loading_s);

/// The same where nothing was corrected, since no weight showed a creep that there is, of so much per
/// decade: gains are those of presses as long as these, and off by all of what a load just put on
/// reads less. An error of known sign that nobody takes out counts whole.
double u_creep_left(double per_decade, double loading_s);

}  // namespace tactelier
