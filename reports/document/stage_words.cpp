#include "reports/document/stage_words.hpp"

#include <algorithm>

namespace tactelier {
namespace {

const std::vector<StageWords>& all_words() {
  static const std::vector<StageWords> kWords{
      {"time",
       "Brings the clocks of force sensor, stage and array to one time base, from arrival times, "
       "and finds the latency of the readings against the force.",
       {"t_host = t_device (1 + skew) + offset", "reading(t) answers F(t − latency)"},
       "docs/theory/clocks.md 1"},
      {"wrench",
       "Takes bias and drift of the force sensor out of every press, from the unloaded stretches "
       "before and after it.",
       {"F(t) = F_raw(t) − (b0 + b1 t)"},
       "docs/theory/force.md 1"},
      {"contact",
       "Finds where the tip first touches the pad, press by press, and what the rig itself gives "
       "way under load.",
       {"F = bias + k (z − z0)^n for z > z0", "depth = z − z0 − compliance F"},
       "docs/theory/contact-and-stiffness.md 1"},
      {"response",
       "Fits the readings of each tactel against the force on the calibration indenter over its "
       "centre: a dead zone, a line or the curve that the evidence prefers, saturation.",
       {"counts = offset + max(0, F − F_t)/κ, up to saturation"},
       "docs/theory/response.md 1"},
      {"psf",
       "Finds how a force on one place spreads over the tactels, from presses beside their "
       "centres, together with each tactel's own gain.",
       {"share(x, y) = integral over the tactel of exp(−(x² + y²)/(2 σ²))/(2 π σ²)"},
       "docs/theory/point-spread.md 1"},
      {"array",
       "Reads the whole array as one sensor of force; its error is told by presses that were left "
       "out one by one.",
       {"F = F_0 + Σ w_i reading_i", "u² = error² + (share F)²"},
       "docs/theory/response.md 13"},
      {"stiffness",
       "Fits force against depth of each press: the line of the loading branch, the start of "
       "unloading, hardening.",
       {"F = intercept + k_affine δ", "F = k_punch δ through first touch"},
       "docs/theory/contact-and-stiffness.md 4"},
      {"relaxation",
       "Fits how the force falls while the depth is held, with the pad's load history before.",
       {"k(t)/k(0) = g_inf + Σ g_i exp(−t/τ_i)"},
       "docs/theory/damping-and-relaxation.md 3"},
      {"damping",
       "Fits how much more force the pad gives the faster it is pressed.",
       {"F = k δ + c_n dδ/dt (Kelvin–Voigt), or F = k δ (1 + d dδ/dt) (Hunt–Crossley)"},
       "docs/theory/damping-and-relaxation.md 5"},
      {"joint",
       "Fits stiffness, damping and relaxation of one place together, so that none takes what is "
       "another's, and brings the stiffness to its long-time value.",
       {"all laws of the three stages at once"},
       "docs/theory/damping-and-relaxation.md 7"},
      {"friction",
       "Fits the LuGre law to slides at several speeds and to oscillations of a stuck contact.",
       {"F_t = σ0 z + σ1 dz/dt + c_t v", "dz/dt = v − σ0 |v| z/(g(v) N)",
        "g(v) = µ_d + (µ_s − µ_d) exp(−(v/v_s)²)"},
       "docs/theory/friction.md 1"},
      {"hydroelastic",
       "Describes the pad as a pressure field: force is foundation modulus times overlap volume.",
       {"F = K_f V(δ)(1 + d dδ/dt)", "K_f = E_h/H"},
       "docs/theory/pressure-field.md 1"},
      {"layer",
       "Takes Young's modulus from the stiffness under a flat round tip, the layer's thickness and "
       "Poisson's ratio.",
       {"E = k_punch (1 − ν²)/(2 a κ(a/h, ν))"},
       "docs/theory/contact-and-stiffness.md 9"},
      {"rotary",
       "Fits Coulomb, Stribeck and viscous friction to the torque of a joint against its speed.",
       {"T = sgn(ω)[T_c + (T_s − T_c) exp(−(ω/ω_s)²)] + b ω + T_0"},
       "docs/theory/friction.md 14"},
  };
  return kWords;
}

}  // namespace

const StageWords* stage_words(std::string_view stage) {
  const auto& all = all_words();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const StageWords& words) { return words.id == stage; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace tactelier
