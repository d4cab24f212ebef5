#pragma once
// Where a tactel's line begins and ends in counts: is the offset a cut floor or a visible level, is
// there a ceiling, and how noisy is a reading (docs/theory/response.md 1, 3).

#include <span>
#include <vector>

#include "fitting/response/affine_fit.hpp"
#include "fitting/response/response_press.hpp"
#include "fitting/statistics/identified.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

struct ReadingLimits {
  Clip floor = Clip::kNone;  // kNone: no free air and no floor seen, the offset is unknown
  Estimate offset;           // counts
  double noise = 0;          // counts, one reading, never below its step / sqrt(12)
  double noise_dof = 0;
  double step = 0;               // smallest difference of readings
  bool rest_stated = false;      // the offset is a number of the map
  bool constant_air = false;     // all free air is one reading
  bool floor_from_rows = false;  // found as a plateau of the loaded readings, without free air
  int at_floor = 0;              // readings there, where they told the floor
  Clip ceiling = Clip::kNone;
  Estimate saturation;            // counts, when ceiling is not kNone
  int saturated = 0;              // samples there
  double saturation_force_N = 0;  // lowest force that gave it
};

/// Lowest reading the converter can give, or 0; none (minus infinity) of falling sensors without a
/// described range, whose 0 is full load.
double reading_floor(const SensorDescription& sensor);

/// `air`: windows of free air of this tactel. `step`: of the converter; 0: as the readings show it.
ReadingLimits find_limits(std::span<const BaselineWindow> air, std::span<const TactelPress> presses,
                          const SensorDescription& sensor, double step = 0);

}  // namespace tactelier
