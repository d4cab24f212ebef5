#pragma once
// What a station says of one sensor: the verdict, by which numbers, and which model it is about.
// labels/ID.json (data/schemas/station-label.schema.json) is the last file that a sensor is given;
// labels/ID.txt says the same in a few lines for a printer.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/workflow/catalogue/accept_sensor.hpp"

namespace tactelier {

struct StationLabel {
  std::string id;                        // of recording, fit and label: serial and time
  std::string serial, sensor;            // sensor: name of the description
  std::optional<Acceptance> acceptance;  // nothing: measured, and nobody asked for a verdict
  std::string why;                       // it was not accepted: one line with numbers
  std::vector<AcceptedValue> values;
  std::string operator_name, recorded, judged;  // UTC
  std::string recording, model;                 // files, relative to the station's folder
  std::string model_sha256;                     // of the model file; "" where there is no model
  std::string key;                              // of the fit, in the catalogue
  std::string program;  // that judged: "tactelier 0.1.0"; "" in labels of before it was written
};

/// "accept", "unclear", "reject", "measured".
std::string_view verdict_word(const StationLabel& label);

/// "stiffness.k_punch 2430 ± 40 N/m, limits 1890 to 2110": of each value that is not accepted.
std::string rejection_text(const std::vector<AcceptedValue>& values);

nlohmann::json label_json(const StationLabel& label);
std::string label_text(const StationLabel& label);

/// Both files, the text first.
Result<void> write_label(const StationLabel& label, const std::filesystem::path& folder);
Result<StationLabel> read_label(const std::filesystem::path& file);

/// Of the sensors scanned at `utc` ("2026-11-23T00:00:00Z") or later, in that order. What can't be
/// read is left out; a folder that isn't there holds none.
std::vector<StationLabel> labels_since(const std::filesystem::path& folder, const std::string& utc);

}  // namespace tactelier
