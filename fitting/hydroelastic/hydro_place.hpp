#pragma once
// The pressure field's modulus and rate at one place: places differ in stiffness.

#include <map>
#include <string>
#include <vector>

#include "fitting/hydroelastic/hydro_data.hpp"
#include "fitting/statistics/identified.hpp"

namespace tactelier {

using HydroPresses = std::vector<const HydroPress*>;
using HydroPlaces = std::map<std::string, HydroPresses>;  // by site

/// Presses that can be used, by indenter and place; those into virgin rubber only where a place has
/// nothing else. Points into `data`.
struct HydroGroups {
  std::map<std::string, HydroPlaces> by_indenter;
  bool first_cycles = false;
};
HydroGroups group_presses(const HydroData& data);

struct HydroPlace {
  Estimate modulus_Pa_per_m, rate;
  Estimate series_m_per_N;                // std 0: held
  RateModel model = RateModel::kElastic;  // kElastic: the speeds do not differ enough
  double chi2 = 0, dof = 0, deviance = 0;
  std::size_t rows = 0;
};

/// What all places of an indenter share.
struct HydroShared {
  RateModel model = RateModel::kHuntCrossley;
  double series_m_per_N = 0;    // as in HydroTerms
  double u_series_m_per_N = 0;  // 0: held
  double microstep_m = 0;
};

/// All with one indenter: one modulus, each press's contact point moved within its uncertainty.
/// Residuals are those of the presses' rows, one press after the other.
Result<HydroFit> fit_at_place(const HydroPresses& presses, const HydroShared& shared);

/// The same with its uncertainty. Intervals from within the presses or between them, the wider;
/// from within alone where the series compliance is fitted along.
Result<HydroPlace> fit_place(const HydroPresses& presses, const HydroShared& shared);

}  // namespace tactelier
