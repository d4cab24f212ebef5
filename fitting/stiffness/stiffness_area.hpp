#pragma once
// Stiffness under an area load: foundation modulus and the spring of one tactel, from plate presses
// or dead weights (docs/theory/contact-and-stiffness.md 7).

#include <span>
#include <vector>

#include "fitting/stiffness/stiffness_quantity.hpp"
#include "fitting/stiffness/weights.hpp"
#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

/// Fills foundation_modulus, k and method from plate presses (kind "area": the plate covers the
/// array, so K_f = k_plate / sensing area), else from weights, else refuses: with ST-05 where a
/// punch was pressed, since a punch is not a tactel. Where both are there and disagree beyond their
/// uncertainties, a warning says so. Runs after summarize_presses().
void summarize_area(const std::vector<StiffnessPress>& plate,
                    std::span<const WeightReading> weights, const RigUncertainty& rig,
                    SensorModel& model);

}  // namespace tactelier
