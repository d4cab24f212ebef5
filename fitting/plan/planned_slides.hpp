#pragma once
// Planned slides as the friction stage would load them, with the friction that expected numbers
// make of the planned moves. Only plan_friction.cpp includes this.

#include "fitting/friction/side_compliance.hpp"
#include "fitting/friction/slide_fit.hpp"
#include "fitting/plan/information.hpp"

namespace tactelier {

/// What the rig gives along the surface, as the fit will know it; empty where it won't.
std::optional<SideCompliance> planned_side_compliance(const PlanBasis& basis);

/// Friction is 0 until fill_friction(). Needs a slide that doesn't oscillate.
SlideTracks planned_tracks(const PlanBasis& basis);

/// By SlideIndex, then side force and zero of each contact.
std::vector<double> expected_slide_values(const PlanBasis& basis, const SlideTracks& tracks);

void fill_friction(const SlideSetting& setting, std::span<const double> p, SlideTracks& tracks);

}  // namespace tactelier
