#pragma once
// Verification records (tactelier verify-export) of this model, as a report tells them.

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <utility>

#include "libcalib/model_file/sensor_model.hpp"
#include "libcalib/result.hpp"
#include "reports/document/document.hpp"

namespace tactelier {

using NamedRecord = std::pair<std::string, nlohmann::json>;  // file name without folder, content

/// What the record holds against being about this model: fails with kInvalidInput. A record of the
/// model with something assumed is about it where the sensor is the same.
Result<void> check_is_about(const NamedRecord& record, const SensorModel& model,
                            const std::string& model_hash);

/// Records as the schema has them.
Chapter verification_chapter(std::span<const NamedRecord> records);

}  // namespace tactelier
