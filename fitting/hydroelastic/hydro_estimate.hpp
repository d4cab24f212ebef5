#pragma once
// One foundation modulus and dissipation from presses with several indenters, or why not.

#include <map>
#include <optional>
#include <string>

#include "fitting/hydroelastic/hydro_place.hpp"
#include "fitting/statistics/identified.hpp"

namespace tactelier {

/// What presses with one indenter say.
struct HydroOfIndenter {
  std::string indenter;
  Estimate modulus_Pa_per_m;  // K_f
  RateModel model = RateModel::kElastic;
  HydroShared shared;                   // by which its places were fitted
  Estimate series_m_per_N;              // compliance beside pad and frame; std 0: not fitted
  std::optional<Estimate> dissipation;  // Hunt-Crossley, when the speeds show it
  double chi2_per_dof = 0;
  std::size_t presses = 0;
  std::size_t sites = 0;
  std::size_t rows = 0;
};

struct HydroEstimate {
  std::vector<HydroOfIndenter> indenters;
  std::optional<Estimate> modulus_Pa_per_m;  // of all indenters that agree
  std::optional<Estimate> dissipation;
  std::string no_modulus;      // code and words
  std::string no_dissipation;  // code and words
  bool first_cycles = false;   // only presses into virgin rubber
  Warnings warnings;
};

struct HydroBeside {
  std::optional<Estimate> plate_Pa_per_m;  // K_f of presses over the whole array
  double place_scatter = 0;  // relative standard deviation of the stiffness from tactel to tactel
};

HydroEstimate estimate_hydro(const HydroData& data, const HydroBeside& beside);

}  // namespace tactelier
