#pragma once
// The response curve that a model file holds for one tactel, brought to the laws of
// libcalib/models/response: whoever turns readings into newtons, draws or simulates a tactel asks
// here and needs to know no law by name.

#include "libcalib/model_file/sensor_model.hpp"
#include "libcalib/models/response/calibration_curve.hpp"

namespace tactelier {

/// `rising`: a tactel of the model whose counts rise (turned_counts.hpp). The curve over the
/// calibration indenter's force; empty where the model holds none: then its line speaks.
std::optional<CalibrationCurve> calibration_curve(const SensorModel& model,
                                                  const TactelResponse& rising);

/// (force_N, counts) for a table: the curve's own knots, or `points` of its law on [0, high_N].
/// Below the law's range the tactel rests, above it stays. Empty without a curve.
std::vector<std::array<double, 2>> curve_points(const SensorModel& model,
                                                const TactelResponse& rising, double high_N,
                                                int points);

}  // namespace tactelier
