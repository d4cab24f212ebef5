#pragma once
// What a batch tells, as JSON (data/schemas/cli-batch.schema.json).

#include <nlohmann/json.hpp>
#include <vector>

#include "app/workflow/batch/run_batch.hpp"
#include "app/workflow/batch/submit_batch.hpp"

namespace tactelier {

nlohmann::json sensor_json(const PlannedSensor& sensor);
nlohmann::json result_json(const SensorResult& result);
nlohmann::json outcome_json(const RunOutcome& outcome);
nlohmann::json status_json(const SensorStatus& status);
nlohmann::json submission_json(const Submission& submission);
nlohmann::json collected_json(const Collected& collected);

/// Formats that a model could not be written as.
Warnings export_warnings(const std::vector<SensorResult>& results);

}  // namespace tactelier
