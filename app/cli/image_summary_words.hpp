#pragma once
// Features of an image as simulate and compare print them.

#include <nlohmann/json.hpp>
#include <string>

#include "app/workflow/image_summary.hpp"

namespace tactelier::cli {

nlohmann::json summary_json(const ImageSummary& summary);
/// What was asked for beside the features that need no word: a line for each, each after `head`.
std::string wished_words(const ImageSummary& summary, const std::string& head);

}  // namespace tactelier::cli
