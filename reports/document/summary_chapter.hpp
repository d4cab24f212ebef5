#pragma once
// The first page: what the sensor is, the verdict, what the calibration is good for, the numbers.

#include "reports/document/report_input.hpp"

namespace tactelier {

Chapter summary_chapter(const ReportInput& input);

}  // namespace tactelier
