#pragma once
// What the calibration is good for: the range, the uncertainty of a reading at each force, the
// error on presses that the fit never saw, when to check again.

#include "reports/document/report_input.hpp"

namespace tactelier {

void add_use(const ReportInput& input, std::vector<Block>& blocks);

}  // namespace tactelier
