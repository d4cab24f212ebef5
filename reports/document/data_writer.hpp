#pragma once
// Every number of a report as JSON (data/schemas/report-data.schema.json), SI.

#include <string>

#include "reports/document/document.hpp"

namespace tactelier {

std::string report_data(const ReportDocument& document);

}  // namespace tactelier
