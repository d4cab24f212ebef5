#pragma once
// Presses that show a pad as a pressure field: wide or round indenters, moving.

#include <optional>
#include <string>
#include <vector>

#include "fitting/hydroelastic/hydro_fit.hpp"
#include "fitting/recording/fit_context.hpp"
#include "fitting/statistics/identified.hpp"

namespace tactelier {

struct HydroPress {
  std::string where;                   // "pad.tact press 7"
  std::size_t session = 0, press = 0;  // indices into the context's sessions and their presses
  Indenter indenter;
  std::string site;          // "tactel 14"
  bool first = false;        // so deep at its place: virgin rubber is harder
  bool plays = false;        // loading and unloading both recorded
  double speed_m_per_s = 0;  // median while loading
  double top_m = 0;          // greatest depth
  double peak_N = 0;
  double u_contact_m = 0;      // standard uncertainty of the contact point
  double rig_part = 0;         // of the travel at the peak that bends the rig
  double step_m = 0;           // of the stage; 0: it has none
  std::vector<HydroRow> rows;  // depth above a tenth of the press's and below 0.3 thicknesses
  std::optional<Estimate> loss_per_decade;  // of a pad whose relaxation nobody knows, by its loop
  std::string refusal;                      // why it can't be used: code and words
};

struct HydroData {
  std::vector<HydroPress> presses;
  double stage_period_s = 0;  // slowest of the sessions; 0: no stage recorded
};

/// Usable presses whose indenter follows_foundation() of a layer `thickness_m` thick. Fails only
/// for damage and cancellation.
Result<HydroData> load_hydro(const FitContext& context, double thickness_m);

}  // namespace tactelier
