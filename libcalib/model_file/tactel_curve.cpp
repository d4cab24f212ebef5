#include "libcalib/model_file/tactel_curve.hpp"

#include <algorithm>
#include <limits>

#include "libcalib/models/response/response_laws.hpp"

namespace tactelier {
namespace {

/// Empty where a coefficient has no value.
std::optional<ResponseSlots> slots_of(const TactelResponse& response) {
  ResponseSlots terms{{}, response.knots};
  for (const auto& parameter : response.coefficients) {
    if (!parameter.value) return std::nullopt;
    terms.coefficients.push_back(*parameter.value);
  }
  return terms;
}

}  // namespace

std::optional<CalibrationCurve> calibration_curve(const SensorModel& model,
                                                  const TactelResponse& rising) {
  const auto* law = find_response_law(model.response.model);
  const auto terms = slots_of(rising);
  if (!law || !terms || (terms->knots.empty() && !model.validity.force_N)) return std::nullopt;
  // Where rest is that of the best line the curve may pass below it.
  const double floor = model.response.zero == "rows" ? -std::numeric_limits<double>::infinity()
                                                     : rising.offset.value.value_or(0);
  return CalibrationCurve::of(
      *law, *terms, floor,
      terms->knots.empty() ? (*model.validity.force_N)[1] : terms->knots.back()[0]);
}

std::vector<std::array<double, 2>> curve_points(const SensorModel& model,
                                                const TactelResponse& rising, double high_N,
                                                int points) {
  const auto* law = find_response_law(model.response.model);
  const auto terms = slots_of(rising);
  if (!law || !law->curved() || !terms) return {};
  if (!terms->knots.empty() || terms->coefficients.empty()) return terms->knots;
  std::vector<std::array<double, 2>> curve;
  double highest = rising.offset.value.value_or(-std::numeric_limits<double>::infinity());
  for (int i = 0; i < points; ++i) {
    const double force_N = high_N * i / (points - 1);
    highest = std::max(highest, law->counts(*terms, force_N));
    curve.push_back({force_N, highest});
  }
  return curve;
}

}  // namespace tactelier
