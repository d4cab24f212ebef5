#pragma once
// How well a rig measures, as far as what a recording will tell depends on it: stated in the rig
// file under `performance` (data/schemas/rig.schema.json), else taken as an ordinary rig has it and
// listed as assumed. Used to plan with; never enters a fit.

#include <optional>
#include <string>
#include <vector>

#include "libcalib/protocol/rig.hpp"

namespace tactelier {

struct RigQuality {
  double force_noise_N = 0;         // standard deviation of one sample, stage at rest
  double force_noise_moving_N = 0;  // and while its motors step
  double force_rate_hz = 0;
  std::optional<double> force_gain_u;  // certificate, relative standard uncertainty
  double position_rate_hz = 0;   // how often the stage, or a gauge beside it, says where it is
  double step_m = 0;             // of the stage
  double microstep_error_m = 0;  // amplitude, over a full step
  double backlash_m = 0;
  double compliance_m_per_N = 0;
  std::optional<double> shear_compliance_m_per_N;
  double tactile_noise_counts = 0;
  double tactile_rate_hz = 0;
  double press_scatter = 0;          // of a reading from press to press, relative, standard
  std::vector<std::string> assumed;  // "force noise 10 mN": what the rig file doesn't state

  /// Position is sampled as fast as an encoder: motion is measured, not computed.
  bool motion_measured() const { return position_rate_hz >= 900; }
  double force_period_s() const { return 1 / force_rate_hz; }
};

/// What the rig file states; for the rest an ordinary rig: a GRBL stage that answers ten times a
/// second, a Nano17 at its head.
RigQuality rig_quality(const RigFile& rig, const SensorDescription& sensor);

}  // namespace tactelier
