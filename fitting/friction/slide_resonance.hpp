#pragma once
// What friction is like away from a motor's resonance. Where the steps or the microstep error come
// as fast as the motor rings, the tip swings to and fro by ten times as much and friction on
// average drops to half, at that speed alone. A fit without ringing bends every number to it (mu_d
// 0.15 for 0.37), and from such a place no search finds the ringing. Left out, one or two speeds of
// eight, the rest tells mu, v_s and sigma0 well enough to begin with (docs/theory/friction.md 13).

#include <optional>
#include <span>

#include "fitting/friction/slide_solver.hpp"

namespace tactelier {

/// Of the slides without those speeds, up to three, without which far less is left over than in
/// `from`; the same columns. Empty where no speed stands out.
std::optional<SlideFit> away_from_resonance(const SlideSolver& solver, const SlideFit& from,
                                            std::span<const double> start_v_s_m_per_s);

}  // namespace tactelier
