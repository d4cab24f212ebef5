#pragma once
// The presses of all sessions, each already analysed, become the `stiffness` part of the model.
// Pure: no session is read here, so tests can hand in presses made by hand.

#include <string>
#include <vector>

#include "fitting/stiffness/stiffness_quantity.hpp"
#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

/// Fills k_punch, k_punch_tactel, k_affine, intercept, unloading, linear_to, max_penetration and
/// curve from point presses, and quality["stiffness"] with its warnings. k_punch is the mean over
/// the tactels pressed; presses between tactels count for it only when no press names a tactel.
/// `no_presses` is the reason that all get when `presses` is empty.
void summarize_presses(const std::vector<StiffnessPress>& presses, const RigUncertainty& rig,
                       const std::string& no_presses, SensorModel& model);

/// ST-02, ST-03, ST-04 and RC-02 about what summarize_presses() put into the model.
void warn_about_presses(const std::vector<StiffnessPress>& presses, const RigUncertainty& rig,
                        SensorModel& model);

}  // namespace tactelier
