#pragma once
// One stage of the fit: what was done, by which equation, how well it fits, the numbers, the data
// beside the model, warnings with their remedies.

#include "reports/document/report_input.hpp"

namespace tactelier {

/// Empty for a stage that the fit did not run. Fails for damage and cancellation.
Result<std::optional<Chapter>> stage_chapter(const ReportInput& input, const Stage& stage,
                                             const Job& job);

/// Data and fit of a stage from the recordings at hand; a paragraph where nothing can be drawn.
Result<std::vector<Block>> stage_plots(const ReportInput& input, std::string_view stage,
                                       const Job& job);

}  // namespace tactelier
