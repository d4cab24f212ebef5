#pragma once
// What the readings of a framed force sensor are worth: a linear map, whether they are one cell's,
// six gage voltages or six axes that the sensor has calibrated itself.

#include <optional>
#include <vector>

#include "devices/ati/cal_file.hpp"
#include "devices/framed/frame_description.hpp"
#include "devices/interface/force_sensor.hpp"

namespace tactelier::devices {

/// w = sum over readings of SI_per_reading[i] (reading[i] - zero[i]).
struct ForceReadings {
  std::vector<std::array<double, 6>> SI_per_reading;  // Fx, Fy, Fz [N], Tx, Ty, Tz [N*m]
  std::vector<double> zero;                           // without load; empty: 0
  ForceScale scale;                                   // of the counts that are handed on

  std::array<double, 6> wrench_SI(const std::vector<double>& readings) const;
};

/// One channel, force along z. N_per_reading is negative when pressing reads negative; `step` is
/// the readings' resolution, 1 for integers, and one count. full_scale_N 0: unknown. Fails with
/// kInvalidInput when a reading is worth nothing.
Result<ForceReadings> one_axis_readings(double N_per_reading, double full_scale_N, double step);

/// Six channels of gage voltages. Counts are 1 uN and 10 nN*m. Fails with kInvalidInput when a
/// reading is worth nothing.
Result<ForceReadings> six_gage_readings(const GageCalibration& calibration, double V_per_reading,
                                        const GageVolts& bias_V);

/// Six axes as the description has them. `full_scale_SI` wins over the description's. Counts are
/// the sensor's own where each of its integers is an axis; else 1 uN and 10 nN*m, or ten times as
/// much as often as twice the range needs. Fails with kInvalidInput when the description has no
/// wrench, or nobody states the range: without it no overload would be seen.
Result<ForceReadings> wrench_readings(
    const DeviceDescription& description,
    const std::optional<std::array<double, 6>>& full_scale_SI = {});

}  // namespace tactelier::devices
