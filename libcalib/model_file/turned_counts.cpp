#include "libcalib/model_file/turned_counts.hpp"

#include "libcalib/models/response/response_laws.hpp"

namespace tactelier {
namespace {

void turn(const SensorDescription& sensor, Parameter& parameter) {
  if (parameter.value) parameter.value = turned_reading(sensor, *parameter.value);
  if (!parameter.ci95) return;
  const auto [low, high] = *parameter.ci95;
  parameter.ci95 = {turned_reading(sensor, high), turned_reading(sensor, low)};
}

/// A rise, the other way round.
void turn_over(Parameter& parameter) {
  if (parameter.value) parameter.value = -*parameter.value;
  if (parameter.ci95) parameter.ci95 = {-(*parameter.ci95)[1], -(*parameter.ci95)[0]};
}

void turn_coefficients(const SensorModel& model, std::vector<Parameter>& coefficients) {
  const auto* law = find_response_law(model.response.model);
  for (std::size_t k = 0; law && k < coefficients.size(); ++k) {
    const auto kind = law->coefficient(k).kind;
    if (kind == CoefficientInfo::Kind::kLevel) turn(model.sensor, coefficients[k]);
    if (kind == CoefficientInfo::Kind::kRise) turn_over(coefficients[k]);
  }
}

}  // namespace

void turn_counts(const SensorModel& model, TactelResponse& response) {
  if (!model.sensor.falling) return;
  turn(model.sensor, response.offset);
  turn(model.sensor, response.saturation);
  turn_coefficients(model, response.coefficients);
  for (auto& [force_N, counts] : response.knots) counts = turned_reading(model.sensor, counts);
}

void turn_counts(SensorModel& model) {
  for (auto& response : model.response.tactels) turn_counts(model, response);
}

}  // namespace tactelier
