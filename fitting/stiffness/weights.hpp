#pragma once
// Stiffness from dead weights on an area (docs/theory/contact-and-stiffness.md 7, eq. 18 of the
// OpenGRASP model):
//   K_f = p / x = m g / (area x)      foundation modulus, Pa/m: the material's number
//   k   = K_f A_sensor / n            spring of one tactel, N/m: for this mesh
// x is read by hand, so a single weight has no scatter to judge it by.

#include <optional>
#include <span>

#include "fitting/statistics/identified.hpp"
#include "libcalib/result.hpp"
#include "libcalib/session/events.hpp"

namespace tactelier {

double pressure_Pa(double mass_kg, double area_m2, double gravity_m_per_s2);
/// p/x for one weight; Pa/m.
double foundation_modulus_Pa_per_m(double pressure_Pa, double compression_m);
/// K_f A / n for an array of sensing area A with n tactels; N/m.
double tactel_stiffness_N_per_m(double foundation_modulus_Pa_per_m, double sensing_area_m2,
                                int tactels);

/// Standard uncertainty of a compression as somebody wrote it down, in mm: one unit of its last
/// digit as resolution ("2.5 mm" -> 0.1 mm / sqrt(12)). Trailing zeros are not kept by JSON, so
/// this is never too small.
double u_written_m(double compression_m);

struct WeightFit {
  Estimate foundation_modulus;        // std 0, dof 0 for a single weight
  std::vector<Component> systematic;  // reading of a single weight's compression; Pa/m
  std::optional<Estimate> intercept;  // of pressure at no compression, three weights or more; Pa
  std::size_t used = 0;
};

struct WeightReading {
  Weight weight;
  double gravity_m_per_s2 = 0;  // of the session it was read in
};

/// Slope of pressure over compression through zero load, so that one weight gives eq. 18 exactly.
/// Weights without a compression are left out. Fails with kUnidentifiable and a reason when none is
/// left.
Result<WeightFit> fit_weights(std::span<const WeightReading> weights);

/// CV-06 for each weight whose stated pressure is more than 2 % off m g / A.
Warnings check_weights(std::span<const WeightReading> weights);

}  // namespace tactelier
