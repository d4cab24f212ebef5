#pragma once
// What sessions that choose their presses are asked for, what they give next and how they stand:
// the same for one that calibrates (adaptive_session.hpp) and one that looks for changes
// (refresh_session.hpp).

#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fitting/adaptive/press_choice.hpp"
#include "fitting/adaptive/standing.hpp"

namespace tactelier::adaptive {

struct AdaptiveSettings {
  std::vector<Target> targets = usual_targets();
  double most_s = 3600;     // of rig time; `standard` takes 4600
  double most_force_N = 3;  // of a press
  double most_depth_m = 1.5e-3;
  double speed_m_per_s = 1e-3;
  double most_speed_m_per_s = 8e-3;  // of the stage along z
  double rest_s = 3;                 // of a press: at rest before and after, ways through air
  double travel_m_per_s = 15e-3;
  double plate_force_N = 15;
  std::uint64_t seed = 1;
  int batch = 10;
  bool until_saturated = true;  // a press ends where a tactel reads its most
};

/// What comes next.
struct NextSteps {
  std::string steps_json;  // an array, as in a protocol
  bool last = false;       // nothing comes behind them
  std::string why;         // "gains of 12 and 31; 54 of 84 within 2 %"
  std::vector<ChosenPress> presses;
};

/// How a session stands, for people.
struct AdaptiveState {
  bool refreshing = false;  // looks for changes: targets then count gains that are looked at enough
  std::vector<Standing> targets;                       // empty before the first fit
  std::vector<std::optional<double>> gain_half_width;  // by tactel, relative; of the last fit
  std::vector<int> changed;                            // tactels, so far, of one that refreshes
  std::set<int> given_up;                              // tactels
  std::vector<std::string>
      why_given_up;              // of these, and of targets that presses don't bring nearer
  int presses = 0, repeats = 0;  // recorded
  bool done = false;             // the last steps have been given
  std::string outcome;           // then: why no more
  /// Further rig time until the targets are met; nothing when it can't be told.
  std::optional<std::array<double, 2>> left_s;
  /// Half-widths expected at the end: of presses until all is met, or as many as the time allows.
  /// Of gains the widest; what blocks tell is not foreseen.
  std::vector<Target> foreseen;
};

}  // namespace tactelier::adaptive
