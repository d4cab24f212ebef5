#pragma once
// The plots of a report's chapter on friction: Stribeck curve, its residuals, presliding loops.

#include "libcalib/job.hpp"
#include "reports/document/plot_blocks.hpp"
#include "reports/document/report_input.hpp"

namespace tactelier {

Plots friction_plots(const ReportInput& input, const Job& job);

}  // namespace tactelier
