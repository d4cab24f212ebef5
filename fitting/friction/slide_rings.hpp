#pragma once
// Steps that ring: at which frequency, found from slides that were fitted without.

#include <optional>

#include "fitting/friction/slide_solver.hpp"

namespace tactelier {

/// `from`: what another shape of the steps gave; `calm`: of slides away from a resonance
/// (slide_resonance.hpp), where one stands out. A first look: sigma1 and the force's filter stay
/// where nobody knows them. Fails where no ringing can be evaluated.
Result<SlideFit> first_ringing(const SlideSolver& solver, const SlideFit& from,
                               const std::optional<SlideFit>& calm);

}  // namespace tactelier
