#pragma once
// What set-up runs found, in words and as JSON.

#include <nlohmann/json.hpp>
#include <string>

#include "app/workflow/measure_ground.hpp"
#include "app/workflow/measure_plate.hpp"

namespace tactelier::cli {

/// `found`: results of the rig process's tasks.
std::string surface_text(const nlohmann::json& found);
std::string registration_text(const nlohmann::json& found);

std::string plate_text(const FoundPlate& found);
nlohmann::json plate_json(const FoundPlate& found);

std::string ground_text(const FoundGround& found);
nlohmann::json ground_json(const FoundGround& found);

}  // namespace tactelier::cli
