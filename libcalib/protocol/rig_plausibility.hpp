#pragma once
// Rig files that the schema lets pass and no rig can be: a force limit above the sensor's range, an
// indentation deeper than the pad, a speed that no stage can brake from within its travel. Asked
// before anything moves, with limits from force sensor, stage and pad; everything at once, for a
// file is mended in one go.

#include <array>
#include <optional>

#include "libcalib/protocol/rig.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

/// What is known beside the file; what isn't is not judged.
struct RigMeans {
  std::array<double, 6> force_range_SI{};         // of the sensor; 0 where unknown
  std::optional<std::array<double, 6>> travel_m;  // the stage's own, in its frame
};

/// Fails with kInvalidInput: one line for each thing, with its place in the file (`where`), the
/// cause and what to write instead.
Result<void> check_plausible(const RigFile& rig, const SensorDescription& sensor,
                             const RigMeans& means, std::string_view where);

/// What the steps of the stage are too coarse for. BELOW-STEP: presses that end less than one step
/// under the surface, where it stands as well as not. COARSE-STEP: presses on the plate of which one
/// step, by the rig's compliance, is more than a tenth.
Warnings coarse_steps(const Plan& plan, const RigFile& rig);

}  // namespace tactelier
