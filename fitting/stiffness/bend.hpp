#pragma once
// Where force rises over depth in a curve, a straight line's k depends on how deep the presses went
// (docs/theory/contact-and-stiffness.md 10). k_punch stays that line through the contact point,
// since simulators take one number, but its interval then reaches to the slope at first touch, and
// the equivalents are reported beside it.

#include <array>
#include <vector>

#include "fitting/stiffness/stiffness_quantity.hpp"
#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

/// More presses fail the run test than its own 1 % of false alarms explains.
struct Curved {
  double tested = 0, failed = 0;
  bool clearly() const;
};
Curved count_curved(const std::vector<StiffnessPress>& presses);

/// Mean force at `steps` even depths that all presses with a contact point reached, from (0, 0);
/// empty when there is none. {depth_m, force_N}
std::vector<std::array<double, 2>> mean_curve(const std::vector<StiffnessPress>& presses,
                                              int steps);

/// Nothing where presses are straight. Else chooses the law of the mean curve, adds to what the
/// presses share a standard error that spans k_punch to the slope at first touch (rectangular), and
/// puts the law's numbers into the figures hardening_*_N_per_m, with a warning that names it.
void account_for_bend(std::vector<StiffnessPress>& presses, std::optional<double> thickness_m,
                      StageQuality& quality);

}  // namespace tactelier
