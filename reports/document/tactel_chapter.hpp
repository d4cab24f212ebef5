#pragma once
// Every tactel by itself: its numbers, its data sheet's figures, its readings over force.

#include "reports/document/report_input.hpp"

namespace tactelier {

Chapter tactel_chapter(const ReportInput& input);

}  // namespace tactelier
