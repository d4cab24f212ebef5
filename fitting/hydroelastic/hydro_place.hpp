#pragma once
// The pressure field's modulus and rate at one place: places differ in stiffness.

#include <vector>

#include "fitting/hydroelastic/hydro_data.hpp"
#include "fitting/statistics/identified.hpp"

namespace tactelier {

using HydroPresses = std::vector<const HydroPress*>;

struct HydroPlace {
  Estimate modulus_Pa_per_m, rate;
  RateModel model = RateModel::kElastic;  // kElastic: the speeds do not differ enough
  double chi2 = 0, dof = 0;
  std::size_t rows = 0;
};

/// All with one indenter. Intervals from within the presses or between them, the wider.
Result<HydroPlace> fit_place(const HydroPresses& presses, RateModel model);

}  // namespace tactelier
