#pragma once
// tactelier fit --holdout: what the fresh model predicts of the image presses of its sessions. No
// fit uses these, so all of them are held out.

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "app/workflow/compare_report.hpp"
#include "libcalib/job.hpp"
#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

struct FitPrediction {
  std::optional<CompareReport> report;
  std::string why_not;  // without a report
};

/// Empty where no session holds an image press. Fails where the job is stopped; what the model
/// can't predict is told.
Result<std::optional<FitPrediction>> predict_held_out(
    const SensorModel& model, std::span<const std::filesystem::path> sessions, const Job& job);

/// Medians over the images, under the quality of the stage `psf`, by whose spread they were
/// predicted: "prediction_rel_l1_percent" and so on; "prediction_images" is their number.
void note_prediction(const CompareReport& report, SensorModel& model);

}  // namespace tactelier
