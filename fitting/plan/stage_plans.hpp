#pragma once
// The plan of each stage of the fit; only information.cpp includes this.

#include "fitting/plan/information.hpp"

namespace tactelier {

using PlannedParameters = std::vector<PlannedParameter>;

/// From its budget: half-widths by Welch and Satterthwaite, the largest share named. `logarithmic`:
/// the shares are relative.
PlannedParameter planned(std::string path, std::string unit, double value,
                         std::vector<PlannedShare> budget, bool logarithmic = false);
PlannedParameter not_planned(std::string path, std::string unit, std::string reason);

/// Of the certificate, or nothing: relative times `scale`.
void add_force_gain(const RigQuality& quality, double scale, std::vector<PlannedShare>& budget);

PlannedParameters plan_rig(const PlanBasis& basis);
PlannedParameters plan_response(const PlanBasis& basis);
PlannedParameters plan_spread(const PlanBasis& basis);
PlannedParameters plan_stiffness(const PlanBasis& basis);
PlannedParameters plan_relaxation(const PlanBasis& basis);
/// `relaxation`: what holds of the same plan will tell.
PlannedParameters plan_damping(const PlanBasis& basis, const PlannedParameters& relaxation);
PlannedParameters plan_friction(const PlanBasis& basis, const Job& job);

}  // namespace tactelier
