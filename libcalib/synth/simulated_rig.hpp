#pragma once
// What a rig file says, as the simulated pad wants to hear it: for recordings without wires
// (synth.hpp) and for the virtual bench.

#include "libcalib/pad/pad.hpp"
#include "libcalib/protocol/rig.hpp"

namespace tactelier::synth {

/// A rig file's statements win over the preset: the simulated rig has just these.
pad::Effects effects_with(const RigFile& rig, pad::Effects effects);

/// How the parts are put together. Which way the force sensor is mounted comes from the rig; its z
/// axis is the stage's. Fails with kInvalidInput on another press axis.
Result<pad::Mount> mount_of(const RigFile& rig, const SensorDescription& sensor);

}  // namespace tactelier::synth
