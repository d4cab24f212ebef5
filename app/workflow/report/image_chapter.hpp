#pragma once
// What the model predicts of image presses that recordings hold (no fit uses them): real,
// simulated, difference, and the prediction error with its denominator (docs/predicting-images.md).

#include <filesystem>
#include <optional>
#include <span>

#include "libcalib/job.hpp"
#include "libcalib/model_file/sensor_model.hpp"
#include "reports/document/document.hpp"

namespace tactelier {

/// By the first of `psf` and `soft-contact` that the model serves. Nothing without sessions; a
/// chapter that says why where the model can't predict.
Result<std::optional<Chapter>> image_chapter(const SensorModel& model,
                                             std::span<const std::filesystem::path> sessions,
                                             const Job& job);

}  // namespace tactelier
