#include "fitting/stiffness/weights.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "fitting/statistics/line_fit.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kStatedTolerance = 0.02;

double pressure_of(const WeightReading& reading) {
  return pressure_Pa(reading.weight.mass_kg, reading.weight.area_m2, reading.gravity_m_per_s2);
}

}  // namespace

double pressure_Pa(double mass_kg, double area_m2, double gravity_m_per_s2) {
  return mass_kg * gravity_m_per_s2 / area_m2;
}

double foundation_modulus_Pa_per_m(double pressure, double compression_m) {
  return pressure / compression_m;
}

double tactel_stiffness_N_per_m(double foundation_modulus, double sensing_area_m2, int tactels) {
  return foundation_modulus * sensing_area_m2 / tactels;
}

double u_written_m(double compression_m) {
  const std::string written = fmt::format("{:.6f}", m_to_mm(compression_m));
  const auto last_digit = written.find_last_not_of('0');
  const auto point = written.find('.');
  const auto decimals = last_digit > point ? last_digit - point : 0;
  return u_resolution(mm_to_m(std::pow(10.0, -static_cast<double>(decimals))));
}

Result<WeightFit> fit_weights(std::span<const WeightReading> weights) {
  std::vector<double> compression_m;
  std::vector<double> pressure;
  for (const auto& reading : weights) {
    if (!reading.weight.compression_m || !(*reading.weight.compression_m > 0)) continue;
    compression_m.push_back(*reading.weight.compression_m);
    pressure.push_back(pressure_of(reading));
  }
  WeightFit fit;
  fit.used = compression_m.size();
  if (fit.used == 0)
    return fail(ErrorCode::kUnidentifiable,
                "ST-01 {} weights without a compression: read the pad's compression under each "
                "(compression_mm).",
                weights.size());
  if (fit.used == 1) {
    const double modulus = foundation_modulus_Pa_per_m(pressure[0], compression_m[0]);
    fit.foundation_modulus = {modulus, 0, 0};
    fit.systematic.push_back({"reading of the compression",
                              modulus * u_written_m(compression_m[0]) / compression_m[0],
                              kManyDegrees});
    return fit;
  }
  const auto line = fit_line_through_origin(compression_m, pressure);
  if (!line) return fail(line.error(), "ST-01");
  fit.foundation_modulus = {line->slope, line->u_slope, line->dof};
  if (const auto affine = fit_line(compression_m, pressure))
    fit.intercept = Estimate{affine->intercept, affine->u_intercept, affine->dof};
  return fit;
}

Warnings check_weights(std::span<const WeightReading> weights) {
  Warnings warnings;
  for (const auto& reading : weights) {
    const auto& weight = reading.weight;
    if (!weight.stated_pressure_Pa) continue;
    const double pressure = pressure_of(reading);
    if (std::abs(pressure - *weight.stated_pressure_Pa) <= kStatedTolerance * pressure) continue;
    warnings.push_back(
        {"CV-06",
         fmt::format("{:.6g} g on {:.6g} mm² is {:.5g} Pa, not {:.5g} Pa.", weight.mass_kg * 1e3,
                     m2_to_mm2(weight.area_m2), pressure, *weight.stated_pressure_Pa),
         fmt::format("weight at {:.6g} s", weight.t_s)});
  }
  return warnings;
}

}  // namespace tactelier
