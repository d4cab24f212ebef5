#pragma once
// tactelier plate: presses the bare tip on the rigid plate and finds the compliance of the rig,
// where the plate is, and how late the stage's stamps are against the force. On a reference spring
// in the plate's place (5 to 20 N/mm) faster ramps show the latency better; compliance and height
// are then left as they are.

#include <filesystem>
#include <optional>

#include "app/workflow/rig_process.hpp"
#include "fitting/time/stage_latency.hpp"
#include "libcalib/parameter.hpp"

namespace tactelier {

struct PlateRequest {
  RigPlace place;
  /// Nothing: 5 N, and 15 N where the rig is so stiff that 5 tell nothing and its limits allow it.
  std::optional<double> force_N;
  std::optional<double> spring_N_per_m;
  /// The recording, "" to throw it away; of a second, harder one "-15N" is added to the name.
  std::filesystem::path keep;
};

struct FoundPlate {
  Parameter compliance;           // m/N
  Parameter seating;              // m
  double backlash_m = 0;          // of the stage's z; 0: none shows
  std::optional<Estimate> top_m;  // stage frame z
  StageLatency latency;
  Warnings warnings;
};

/// Three speeds, twice each. What was found on a plate is in the rig file then. Fails with
/// kUnidentifiable when the presses tell nothing.
Result<FoundPlate> measure_plate(const PlateRequest& request, const AskPerson& ask, const Job& job);

/// What a recording's plate presses tell.
Result<FoundPlate> evaluate_plate(const std::filesystem::path& recording, const Job& job);

}  // namespace tactelier
