#pragma once
// The rig's compliance of one session: from its plate presses, or as its metadata states it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fitting/recording/fit_context.hpp"
#include "fitting/recording/rig_compliance.hpp"
#include "fitting/statistics/identified.hpp"

namespace tactelier {

struct SessionRig {
  RigCompliance compliance;
  Parameter c1, seating;                   // as they stand in the model file
  std::optional<Estimate> plate_travel_m;  // stage travel (positive down) where the plate is met
  Warnings warnings;
  int samples = 0;
};

/// Loaded samples of each stretch `name` ("plate", "ground"), bias removed, in order of time; those
/// without force or travel are left out. Fails only for damage and cancellation.
Result<std::vector<PlatePress>> rigid_presses(const FitContext& context, std::size_t session,
                                              std::string_view name);

/// Plate presses win over what the metadata state of compliance and backlash; with neither the rig
/// counts as rigid, with a warning. Fails only for damage and cancellation.
Result<SessionRig> find_rig(const FitContext& context, std::size_t session);

}  // namespace tactelier
