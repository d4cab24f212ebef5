#pragma once
// tactelier export

#include <filesystem>
#include <string>
#include <vector>

#include "reports/export/exporter.hpp"

namespace tactelier {

struct ExportRequest {
  std::filesystem::path model;
  std::string format;
  std::vector<std::string> assumptions;  // "PATH=VALUE", in SI units
};

/// The text to be written, with what was left out; warnings of the model's own check included.
Result<Exported> export_model(const ExportRequest& request);

}  // namespace tactelier
