#pragma once
// Blocks that formats in JSON and YAML have alike, and how either is written.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

/// null: the model has no such number.
nlohmann::ordered_json or_null(const std::optional<double>& value);

/// Sensor, serial, date, program, hashes of the model and its recordings.
nlohmann::ordered_json json_origin(const SensorModel& model);
nlohmann::ordered_json json_validity(const SensorModel& model);
/// First tactel, rows, columns and pitches of each array.
nlohmann::ordered_json json_arrays(const SensorDescription& sensor);

/// Whatever texts the model holds; `indent` -1: one line.
std::string json_text(const nlohmann::ordered_json& value, int indent = -1);
/// Members on lines of their own, a table row by row, all else in flow style.
std::string yaml_text(const nlohmann::ordered_json& document);
/// In flow style, on one line, with numbers that YAML 1.1 takes for numbers.
std::string yaml_flow(const nlohmann::ordered_json& value);

/// The median; nothing of nothing.
std::optional<double> middle(std::vector<double> values);
/// The middle of what the tactels have of a number; nothing where none has it.
std::optional<double> middle_of(const SensorModel& model, Parameter TactelResponse::*member);
/// Counts per newton of the middle tactel, each by its own gain.
std::optional<double> middle_counts_per_N(const SensorModel& model);
/// What to do where no tactel has a gain of its own. Whatever presses a tactel that stands alone is
/// its own, so that its press_gain will do.
std::string gain_remedy(const SensorModel& model);

}  // namespace tactelier
