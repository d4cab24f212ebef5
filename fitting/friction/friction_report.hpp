#pragma once
// From the estimate to the model's parameters: verdicts, whole contact, one tactel, passivity.

#include "fitting/friction/friction_estimate.hpp"
#include "fitting/friction/side_compliance.hpp"
#include "fitting/statistics/identified.hpp"
#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

struct FrictionCircumstances {
  std::optional<double> force_gain;  // relative standard uncertainty of the force sensor
  Estimate tactels_in_contact;       // value 0: not known
  std::optional<SideCompliance> side_compliance{};  // of the rig, where all sessions tell it
};

void report_friction(const FrictionEstimate& estimate, const FrictionCircumstances& around,
                     SensorModel& model);

}  // namespace tactelier
