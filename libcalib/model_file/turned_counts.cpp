#include "libcalib/model_file/turned_counts.hpp"

namespace tactelier {
namespace {

void turn(const SensorDescription& sensor, Parameter& parameter) {
  if (parameter.value) parameter.value = turned_reading(sensor, *parameter.value);
  if (!parameter.ci95) return;
  const auto [low, high] = *parameter.ci95;
  parameter.ci95 = {turned_reading(sensor, high), turned_reading(sensor, low)};
}

/// c = sum a_k F^k: only the constant part moves, all change sign.
void turn_powers(const SensorDescription& sensor, std::vector<Parameter>& coefficients) {
  for (std::size_t power = 0; power < coefficients.size(); ++power) {
    auto& parameter = coefficients[power];
    if (power == 0)
      turn(sensor, parameter);
    else if (parameter.value)
      parameter.value = -*parameter.value;
    if (power > 0 && parameter.ci95)
      parameter.ci95 = {-(*parameter.ci95)[1], -(*parameter.ci95)[0]};
  }
}

}  // namespace

void turn_counts(const SensorDescription& sensor, TactelResponse& response) {
  if (!sensor.falling) return;
  turn(sensor, response.offset);
  turn(sensor, response.saturation);
  turn_powers(sensor, response.coefficients);
  for (auto& [force_N, counts] : response.knots) counts = turned_reading(sensor, counts);
}

void turn_counts(SensorModel& model) {
  for (auto& response : model.response.tactels) turn_counts(model.sensor, response);
}

}  // namespace tactelier
