#pragma once
// The virtual bench of a rig file: where its parts are, what its force sensor is rated for, how far
// its stage reaches.

#include "devices/bench/virtual_bench.hpp"
#include "libcalib/protocol/rig.hpp"

namespace tactelier::devices {

/// Where the rig file says no travel, the stage reaches every place that the file names with 10 mm
/// to spare, and the reference switches are at the upper ends. Fails as synth::mount_of() does.
Result<BenchSetup> bench_setup_of(const RigFile& rig, const pad::PadTruth& truth,
                                  const pad::Effects& effects, std::uint64_t seed);

}  // namespace tactelier::devices
