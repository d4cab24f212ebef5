#pragma once
// What a model lacks, by what would supply it.

#include "libcalib/model_file/sensor_model.hpp"
#include "reports/section.hpp"

namespace tactelier {

/// One row for all parameters that lack a number for one cause and ask for one recording, in file
/// order; contact points of single presses are left out. No table when nothing is missing.
Section missing_section(const SensorModel& model);

}  // namespace tactelier
