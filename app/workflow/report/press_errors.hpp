#pragma once
// Newtons that a model reads out of recorded presses, against the force sensor that stood beside.

#include <optional>
#include <span>
#include <string>

#include "reports/document/report_input.hpp"

namespace tactelier {

/// Over the loading branches of presses on tactels' centres, readings that have newtons. Empty
/// where there is none.
std::optional<PressErrors> press_errors(const SensorModel& model,
                                        std::span<const ResponseCurve> curves,
                                        std::size_t session, const std::string& name, bool seen);

}  // namespace tactelier
