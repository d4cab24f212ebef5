#pragma once
// Readings over force beside the model: of all tactels together as residuals, of each by itself.

#include "reports/document/report_input.hpp"

namespace tactelier {

/// Residuals in newtons over force and over the presses in time.
std::vector<Block> response_blocks(const ReportInput& input);

/// Readings over force of one tactel, small.
Plot tactel_plot(const ResponseCurve& curve);

}  // namespace tactelier
