#pragma once
// What a calibration says of a force: how many tactels measure it, and how well.

#include <vector>

#include "reports/document/report_input.hpp"

namespace tactelier {

/// Forces 1, 2, 5 times powers of ten within the model's range, or up to what its tactels were
/// pressed with. Each tactel is given the reading that its response has at the force; its
/// uncertainty is that of `apply` for one reading. Empty without a calibrated tactel.
std::vector<ForceUse> force_use(const SensorModel& model);

/// The same of the force on the whole array; empty where the model does not know it.
std::vector<ForceUse> array_force_use(const SensorModel& model);

}  // namespace tactelier
