#pragma once
// What a catalogue tells, as JSON (data/schemas/cli-catalogue.schema.json) and as a table.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/workflow/catalogue/accept_sensor.hpp"
#include "app/workflow/catalogue/gauge_of_catalogue.hpp"
#include "app/workflow/catalogue/randomize_fleet.hpp"

namespace tactelier {

nlohmann::json row_json(const CatalogueRow& row);
nlohmann::json report_json(const FleetReport& report);
nlohmann::json gauge_json(const GaugeOfCatalogue& gauge);
nlohmann::json accepted_json(const AcceptedSensor& sensor);
nlohmann::json randomized_json(const RandomizeRequest& request, const RandomizeOutcome& outcome);

/// A line of names, then a row each; numbers with all their digits.
std::string rows_csv(const std::vector<CatalogueRow>& rows);

}  // namespace tactelier
