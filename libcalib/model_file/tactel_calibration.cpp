#include "libcalib/model_file/tactel_calibration.hpp"

#include <cmath>

#include "libcalib/model_file/turned_counts.hpp"

namespace tactelier {
namespace {

/// Of one reading; without free air what the rows scatter about the line.
double noise_of(const SensorModel& model, const TactelResponse& response) {
  if (response.noise.value) return *response.noise.value;
  const auto quality = model.quality.find("response");
  if (quality == model.quality.end() || quality->second.residual_unit != "counts") return 0;
  return quality->second.residual_rms.value_or(0);
}

double rising(const TactelCalibration& tactel, double reading) {
  return tactel.falling ? tactel.mirror_counts - reading : reading;
}

ReadingForce on_line(const TactelCalibration& line, double counts, ReadingFlag flag) {
  const double force_N = line.threshold_N + line.gain_N_per_count * (counts - line.offset_counts);
  return {flag, force_N, counts, line.gain_N_per_count};
}

ReadingForce on_curve(const TactelCalibration& tactel, double counts, ReadingFlag flag) {
  const auto& curve = *tactel.curve;
  const double margin = tactel.curve_margin_counts();
  if (counts < curve.lowest_counts() - margin) return {ReadingFlag::kBelow, {}, counts, 0};
  if (counts > curve.highest_counts() + margin) flag = ReadingFlag::kSaturated;
  const auto [force_N, gain_N_per_count] = curve.inverse(counts);
  return {flag, force_N, counts, gain_N_per_count};
}

}  // namespace

std::string_view to_string(ReadingFlag flag) {
  switch (flag) {
    case ReadingFlag::kOk:
      return "ok";
    case ReadingFlag::kBelow:
      return "below";
    case ReadingFlag::kSaturated:
      return "saturated";
    case ReadingFlag::kUncalibrated:
      return "uncalibrated";
    case ReadingFlag::kNoReading:
      return "missing";
  }
  return {};
}

TactelCalibration tactel_calibration(const SensorModel& model, std::size_t tactel) {
  TactelCalibration calibration;
  calibration.falling = model.sensor.falling;
  calibration.mirror_counts =
      model.sensor.adc.max ? *model.sensor.adc.max + model.sensor.adc.min.value_or(0) : 0;
  calibration.why = "NOT-FITTED the model has no such tactel";
  if (tactel >= model.response.tactels.size()) return calibration;
  auto response = model.response.tactels[tactel];
  turn_counts(model, response);
  calibration.curve = calibration_curve(model, response);
  calibration.why =
      response.press_gain.usable() ? response.offset.reason : response.press_gain.reason;
  const bool line = response.press_gain.usable() && response.offset.usable();
  if (!line && !calibration.curve) return calibration;
  calibration.why.clear();
  calibration.offset_counts = response.offset.value.value_or(0);
  calibration.noise_counts = noise_of(model, response);
  calibration.threshold_N = response.press_threshold.value.value_or(0);
  calibration.gain_N_per_count = response.press_gain.value.value_or(0);
  calibration.saturation_counts = response.saturation.value;
  return calibration;
}

std::optional<double> TactelCalibration::ceiling_counts() const {
  if (!saturation_counts) return std::nullopt;
  return *saturation_counts - noise_counts;
}

std::optional<double> TactelCalibration::dead_counts() const {
  if (threshold_N <= 0) return std::nullopt;
  return 3 * noise_counts;
}

void TactelCalibration::set_zero(double rest_reading) {
  zero_shift_counts = rising(*this, rest_reading) - offset_counts;
}

ReadingForce TactelCalibration::force(double reading) const {
  if (std::isnan(reading)) return {ReadingFlag::kNoReading, {}, 0, 0};
  if (!why.empty()) return {ReadingFlag::kUncalibrated, {}, 0, 0};
  const double counts = rising(*this, reading);
  const bool saturated = saturation_counts && counts >= *ceiling_counts();
  const double held = (saturated ? *saturation_counts : counts) - zero_shift_counts;
  const auto dead = dead_counts();
  if (dead && held - offset_counts <= *dead) return {ReadingFlag::kBelow, {}, held, 0};
  const auto flag = saturated ? ReadingFlag::kSaturated : ReadingFlag::kOk;
  return curve ? on_curve(*this, held, flag) : on_line(*this, held, flag);
}

}  // namespace tactelier
