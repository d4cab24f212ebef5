#include "devices/gauge/force_readings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactelier::devices {
namespace {

constexpr double kN_per_count = 1e-6;
constexpr double kNm_per_count = 1e-8;
constexpr double kMostCounts = std::numeric_limits<std::int32_t>::max();

/// So that twice the range stays within the counts.
double count_for(double finest_SI, double full_scale_SI) {
  auto count_SI = finest_SI;
  while (2 * full_scale_SI > kMostCounts * count_SI) count_SI *= 10;
  return count_SI;
}

}  // namespace

std::array<double, 6> ForceReadings::wrench_SI(const std::vector<double>& readings) const {
  std::array<double, 6> wrench{};
  for (std::size_t i = 0; i < SI_per_reading.size(); ++i) {
    const double reading = readings[i] - (zero.empty() ? 0 : zero[i]);
    for (std::size_t axis = 0; axis < 6; ++axis) wrench[axis] += SI_per_reading[i][axis] * reading;
  }
  return wrench;
}

Result<ForceReadings> one_axis_readings(double N_per_reading, double full_scale_N, double step) {
  if (!std::isfinite(N_per_reading) || N_per_reading == 0 || !(step > 0))
    return fail(ErrorCode::kInvalidInput, "N_per_reading is {}, a number other than 0 expected",
                N_per_reading);
  ForceReadings force{{{0, 0, N_per_reading, 0, 0, 0}}, {}, {}};
  force.scale.SI_per_count[2] = N_per_reading * step;
  force.scale.full_scale_SI[2] = full_scale_N;
  return force;
}

Result<ForceReadings> six_gage_readings(const GageCalibration& calibration, double V_per_reading,
                                        const GageVolts& bias_V) {
  if (!std::isfinite(V_per_reading) || V_per_reading == 0)
    return fail(ErrorCode::kInvalidInput, "V_per_reading is {}, a number other than 0 expected",
                V_per_reading);
  ForceReadings force;
  for (std::size_t gage = 0; gage < 6; ++gage) {
    auto& worth = force.SI_per_reading.emplace_back();
    for (std::size_t axis = 0; axis < 6; ++axis)
      worth[axis] = calibration.matrix_SI_per_V[axis][gage] * V_per_reading;
    force.zero.push_back(bias_V[gage] / V_per_reading);
  }
  for (std::size_t axis = 0; axis < 6; ++axis)
    force.scale.SI_per_count[axis] = axis < 3 ? kN_per_count : kNm_per_count;
  force.scale.full_scale_SI = calibration.full_scale_SI;
  return force;
}

Result<ForceReadings> wrench_readings(const DeviceDescription& description,
                                      const std::optional<std::array<double, 6>>& full_scale_SI) {
  const auto& wrench = description.wrench;
  if (!wrench)
    return fail(ErrorCode::kInvalidInput,
                "device '{}' is described without 'wrench': nothing says what its readings are "
                "worth. Add it, or choose a force sensor's description",
                description.name);
  if (!full_scale_SI && !wrench->knows_range())
    return fail(ErrorCode::kInvalidInput,
                "full_scale_N_Nm: device '{}' comes with several ranges; state that of the sensor "
                "at hand, Fx to Tz by its data sheet, so that an overload is seen",
                description.name);
  ForceReadings force;
  force.scale.full_scale_SI = full_scale_SI.value_or(wrench->full_scale_SI);
  const bool own_counts = description.reading_range() && wrench->diagonal();
  for (std::size_t axis = 0; axis < 6; ++axis) {
    auto& worth = force.SI_per_reading.emplace_back();
    for (std::size_t row = 0; row < 6; ++row) worth[row] = wrench->SI_per_reading[row][axis];
    force.scale.SI_per_count[axis] = own_counts ? wrench->SI_per_reading[axis][axis]
                                                : count_for(axis < 3 ? kN_per_count : kNm_per_count,
                                                            force.scale.full_scale_SI[axis]);
  }
  return force;
}

}  // namespace tactelier::devices
