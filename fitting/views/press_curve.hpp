#pragma once
// One press as a person looks at it: force over time and over depth, with its first touch.

#include <optional>
#include <string>
#include <vector>

#include "fitting/recording/session_clocks.hpp"
#include "libcalib/job.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier {

struct PressCurve {
  int press = 0;
  std::vector<double> time_s;
  std::vector<double> force_N;   // free air taken off where the press begins in free air
  std::vector<double> travel_m;  // positive down; empty without a stage
  std::size_t peak = 0;          // loading is 0 .. peak
  bool static_readings = false;  // each row is a reading at rest
  /// First touch: set by hand, else where the force leaves its baseline (mean + 5 sd,
  /// docs/theory/contact-and-stiffness.md 1). Empty where the press never touches, or has no free
  /// air.
  std::optional<double> contact_s;
  std::optional<double> contact_m;  // stage travel there
  std::optional<double> found_s;    // what the data say, whatever was set by hand
  bool by_hand = false;
  std::string no_contact;  // why contact_s is empty
};

/// Reads one press; `clocks` as in viewing_clocks.hpp. Fails like load_press().
Result<PressCurve> press_curve(const Session& session, const SessionClocks& clocks,
                               const Press& press, const Job& job);

/// Stage travel at a time within the curve, by straight lines; empty without travel or outside.
std::optional<double> travel_at(const PressCurve& curve, double time_s);
/// Time of loading at which the travel is reached first; empty when it never is.
std::optional<double> time_at_travel(const PressCurve& curve, double travel_m);

}  // namespace tactelier
