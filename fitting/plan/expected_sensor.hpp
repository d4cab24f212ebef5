#pragma once
// What is expected of a sensor before it is measured: a plan's half-widths are those at these
// values. Published values (docs/theory/conventions.md 4), or those of a model fitted earlier.

#include <vector>

#include "libcalib/model_file/sensor_model.hpp"
#include "libcalib/models/lugre.hpp"
#include "libcalib/protocol/expected_pad.hpp"

namespace tactelier {

struct ExpectedBranch {
  double ratio = 0;  // its stiffness over the long-time one
  double tau_s = 0;
};

struct ExpectedSensor {
  ExpectedPad pad;  // its middle values: k_punch, foundation modulus, saturation
  double press_gain_N_per_count = 4.2e-4;
  double press_threshold_N = 0.2;
  double sigma_pitches = 0.47;
  std::vector<ExpectedBranch> branches{{0.16, 0.16}, {0.1, 3.2}};
  bool hunt_crossley = false;
  double kelvin_voigt_s = 3.2e-3;   // c_n over k
  double dissipation_s_per_m = 12;  // of Hunt and Crossley's law
  LugreValues friction{3900, 6, 0.8, 0.52, 0.32, 4e-3};
  double load_exponent = 1.0 / 3;  // mu falls with the load as (N/N0)^-n
  double running_in = 0.15;
  double running_in_m = 0.05;
};

/// Values that `model` has in place of published ones.
ExpectedSensor expected_from(const SensorModel& model);

}  // namespace tactelier
