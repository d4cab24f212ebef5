#pragma once
// A report's paper kit as a folder: figures and tables for a publication (docs/reports.md).

#include <filesystem>

#include "libcalib/job.hpp"
#include "libcalib/model_file/sensor_model.hpp"
#include "reports/document/document.hpp"

namespace tactelier {

/// A new folder, with its name once it is whole. Fails with kUsage where there is one already.
Result<void> write_paper_folder(const std::filesystem::path& folder, const SensorModel& model,
                                const ReportDocument& document, const Job& job);

}  // namespace tactelier
