#pragma once
// tactelier fit: sessions in, a sensor model out.

#include <filesystem>
#include <string>
#include <vector>

#include "app/workflow/fit_prediction.hpp"
#include "fitting/engine/stage.hpp"
#include "libcalib/job.hpp"

namespace tactelier {

struct FitRequest {
  std::vector<std::filesystem::path> sessions;
  std::vector<std::string> stages;    // empty: all
  std::vector<std::string> required;  // stages that must be identified
  std::vector<std::string>
      excluded;        // "FILE:PRESS", "FILE:2-41"; FILE may be left out with one session
  std::string sensor;  // name or file; empty: the sessions' own
  FitOptions options;
};

struct FitReport {
  SensorModel model;
  Warnings warnings;  // of the model and of the sessions
  bool anything_identified = false;
  std::vector<std::string> unmet;  // required but not identified, with the reason
  /// With a hold-out, where the sessions hold image presses; the model's quality has its figures.
  std::optional<FitPrediction> prediction;
};

Result<FitReport> fit_sessions(const FitRequest& request, const Job& job);

}  // namespace tactelier
