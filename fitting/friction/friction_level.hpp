#pragma once
// Friction at few speeds: no curve, but a level between them (docs/theory/friction.md 6).

#include <optional>
#include <span>

#include "fitting/friction/lugre_fit.hpp"
#include "fitting/friction/stribeck_fit.hpp"

namespace tactelier {

/// Steady sliding in the order of LugreIndex, intervals widened by how points scatter; bristles,
/// which sliding doesn't show, and the speed of a drop that isn't there hold any number.
LugreFit steady_lugre(const StribeckFit& fit, std::size_t points);

struct FrictionLevel {
  StribeckFit fit;  // Coulomb
  LugreFit law;     // mu_d is the level; its interval reaches over all speeds
  Warning said;     // FR-LEVEL: between which speeds it holds
};

/// Points that differ by more than their u_N weigh alike. Nothing where friction is seen to fall
/// with speed, or there are too few points to contradict a level and its side forces.
std::optional<FrictionLevel> friction_level(std::span<const SlidePoint> points);

}  // namespace tactelier
