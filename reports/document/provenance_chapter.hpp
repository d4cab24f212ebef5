#pragma once
// Where the numbers come from, for whom they hold, and which presses spoke.

#include "reports/document/report_input.hpp"

namespace tactelier {

Chapter validity_chapter(const SensorModel& model);
Chapter presses_chapter(const SensorModel& model);
Chapter provenance_chapter(const ReportInput& input);

}  // namespace tactelier
