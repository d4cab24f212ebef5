#pragma once
// Chosen presses as steps of a protocol, and recorded ones as those who choose think of them.

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "fitting/adaptive/session_state.hpp"
#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier::adaptive {

/// How far a press goes, as a step has it.
nlohmann::json press_until(double force_N, const AdaptiveSettings& settings);
/// An array of steps.
nlohmann::json press_steps(const std::vector<ChosenPress>& presses,
                           const AdaptiveSettings& settings);
/// Ramps of a fitted recording that are usable, in order.
std::vector<PressThought> recorded_presses(std::span<const PressRow> rows,
                                           const SensorDescription& sensor, double speed_m_per_s);

}  // namespace tactelier::adaptive
