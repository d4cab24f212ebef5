#pragma once
// What is believed of sensor and rig while presses are chosen: the last fit's values, and what an
// ordinary sensor has where it has none. Decides which press comes next, never what a fit finds.

#include <string>
#include <vector>

#include "fitting/plan/expected_sensor.hpp"
#include "fitting/plan/rig_quality.hpp"
#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier::adaptive {

struct PressBeliefs {
  /// By tactel: reading = slope * (share of the press * force - threshold) above 0.
  std::vector<double> slope_counts_per_N, threshold_N;
  double sigma_m = 0;
  double k_N_per_m = 0;      // of the indenter
  double saturation_N = 0;   // of a press on a tactel's centre
  double noise_counts = 0;   // of one reading
  double force_noise_N = 0;  // of one sample while motors step
  double tactile_rate_hz = 0;
  double press_scatter = 0;      // relative, of all readings of a press alike
  double own_scatter = 0;        // relative, of one tactel in one press
  double place_m = 0;            // where the tip stands beside where it says, standard
  double stiffness_scatter = 0;  // relative, of k from press to press
};

PressBeliefs press_beliefs(const SensorDescription& sensor, const RigQuality& quality,
                           const ExpectedSensor& expected);
/// What `model` knows put in.
PressBeliefs press_beliefs(const SensorModel& model, const RigQuality& quality);

}  // namespace tactelier::adaptive
