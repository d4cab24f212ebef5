#pragma once
// What a report is given beside its model, told by content: recordings, other models of the sensor,
// verification records.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "app/workflow/report/verification_chapter.hpp"

namespace tactelier {

struct ReportFiles {
  std::vector<std::filesystem::path> sessions;
  std::vector<std::pair<std::string, SensorModel>> models;  // by file name without folder
  std::vector<NamedRecord> records;
};

/// In the order given. A folder, and a file that begins as neither kind of document of ours, is
/// taken for a recording.
Result<ReportFiles> sort_report_files(std::span<const std::filesystem::path> files);

}  // namespace tactelier
