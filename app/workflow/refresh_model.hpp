#pragma once
// tactelier refresh: a model and a short recording of its sensor in, the model with the gains that
// have moved since out (fitting/refresh).

#include <filesystem>
#include <vector>

#include "fitting/refresh/gain_changes.hpp"
#include "libcalib/job.hpp"
#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

struct RefreshedModel {
  SensorModel model;
  refresh::GainChanges changes;
  std::vector<PressRow> presses;  // of the recording
  Warnings warnings;
};

/// Fails with kInvalidInput where the recording is of another layout or serial number, else as
/// refresh::gain_changes().
Result<RefreshedModel> refresh_model(const SensorModel& earlier,
                                     const std::filesystem::path& session,
                                     const refresh::ChangeSettings& settings, const Job& job);

}  // namespace tactelier
