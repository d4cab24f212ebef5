#pragma once
// Sensors whose readings fall under load (adc counts down, a resistance falls) are turned once
// while they are read, so that every stage fits readings that rise. Whoever writes, shows or
// exports a number in counts speaks of the counts that the user recorded: this is the one place
// between both.

#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

/// A reading that falls under load as one that rises: adc.max + adc.min - reading, or its negative
/// without a converter range. Other readings as they are. Its own inverse.
inline double turned_reading(const SensorDescription& sensor, double reading) {
  if (!sensor.falling) return reading;
  return (sensor.adc.max ? *sensor.adc.max + sensor.adc.min.value_or(0) : 0) - reading;
}

/// In provenance.options of models of falling sensors. Files of ours without it are older ones, in
/// turned counts; reading turns them back.
inline const std::string kCountsOption = "counts";
inline const std::string kAsRecorded = "as recorded";

/// Offset, saturation, coefficients and knots of one of the model's tactels between recorded and
/// rising counts; gains and noise are differences and stay positive. Does nothing for readings that
/// rise. Its own inverse.
void turn_counts(const SensorModel& model, TactelResponse& response);
void turn_counts(SensorModel& model);

}  // namespace tactelier
