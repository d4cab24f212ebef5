#pragma once
// Parameters as rows: label, value with its interval, status, and what to record where there is
// none.

#include <span>
#include <string>
#include <vector>

#include "reports/document/document.hpp"
#include "reports/fit_results.hpp"

namespace tactelier {

ReportTable parameter_table(std::string caption, std::span<const ResultRow> rows);

/// What was found of the sensor, over its stages: not of clocks and rig.
std::vector<ResultRow> found_rows(const SensorModel& model);

/// "gain κ"; the path of what has no label.
std::string parameter_label(const std::string& path);
/// "identified", "not identified", "predicted", "assumed", "looked for, not there".
std::string status_words(const Parameter& parameter);
/// "record P9: no slides"; "" when it has a value and nothing to remark.
std::string gap_words(const std::string& path, const Parameter& parameter);

}  // namespace tactelier
