#pragma once
// What differs from tactel to tactel, condensed or row by row.

#include "libcalib/model_file/sensor_model.hpp"
#include "reports/section.hpp"

namespace tactelier {

/// One row per parameter: how many tactels have it, median, least, greatest, and the commonest
/// reason where some don't.
Section tactel_summary(const SensorModel& model);

/// One row per tactel.
Section tactel_rows(const SensorModel& model);

}  // namespace tactelier
