#pragma once
// How thick the pad's layer is: records the protocol `thickness` (touches of the pad, and of the
// bare ground beside it) and fits it.

#include <filesystem>
#include <optional>

#include "app/workflow/rig_process.hpp"
#include "libcalib/parameter.hpp"

namespace tactelier {

struct GroundRequest {
  RigPlace place;
  std::filesystem::path keep;  // the recording, "" to throw it away
};

struct FoundGround {
  Parameter thickness;  // m
  double height_m = 0;  // of the ground, stage frame z
  Warnings warnings;
};

/// The ground's height is in the rig file then. Fails with kUnidentifiable, by code and words
/// (GROUND-...), where the touches tell no thickness, and with kInvalidInput where the rig file
/// doesn't say where ground is.
Result<FoundGround> measure_ground(const GroundRequest& request, const AskPerson& ask,
                                   const Job& job);

}  // namespace tactelier
