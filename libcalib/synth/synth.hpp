#pragma once
// `tactelier synth`: a recording of a pad whose truth is known, as a rig would have made it.
//
//   auto bench = SimulatedBench::create(setup);        // truth, effects, rig, protocol, seed
//   auto report = bench->record("NAME.tact", job);
//
// The same setup gives the same recording, to the last digit, on every machine whose exp, sin and
// log agree; nothing depends on the standard library's distributions or on the time of day.

#include <filesystem>
#include <optional>
#include <string>

#include "libcalib/job.hpp"
#include "libcalib/pad/pad.hpp"
#include "libcalib/protocol/plan.hpp"
#include "libcalib/protocol/rig.hpp"
#include "libcalib/session/metadata.hpp"

namespace tactelier::synth {

struct SynthSetup {
  pad::PadTruth truth;
  pad::Effects effects;
  std::string preset;  // "clean", "lab": for the session's notes
  std::string serial;  // of the simulated sensor; "synth-SEED" when empty
  Protocol protocol;
  /// The rig as its owner knows it; where it states compliance, steps or backlash, the simulated
  /// one has just these. Empty: the virtual bench's.
  std::optional<RigFile> rig;
  std::uint64_t seed = 1;
};

struct SynthReport {
  double duration_s = 0;  // of the recording
  std::uint64_t force_samples = 0;
  std::uint64_t frames = 0;
  std::size_t presses = 0;
  pad::RigDraws draws;  // what was drawn for this rig
  Warnings warnings;
};

class SimulatedBench {
 public:
  /// Plans the protocol. Fails with kInvalidInput as planner and pad do.
  static Result<SimulatedBench> create(SynthSetup setup);

  const Plan& plan() const { return plan_; }
  /// As it will be simulated: the rig filled in, its statements put into the effects.
  const SynthSetup& setup() const { return setup_; }
  /// Runs the plan and writes the recording; fails with kIo, kCancelled (nothing is left then, and
  /// a file that was to be replaced is as it was).
  Result<SynthReport> record(const std::filesystem::path& file, const Job& job,
                             bool overwrite = false) const;

 private:
  SynthSetup setup_;
  Plan plan_;
};

/// The truth of this recording's pad with the faults of the preset filled in.
pad::PadTruth truth_with_faults(const pad::PadTruth& truth, const pad::RigDraws& draws);

/// The rig's truth as a rig file (docs/virtual-bench.md 1): true height and tilt of the surface,
/// what bends, plays and drifts, under `truth` what has no place elsewhere.
std::string rig_truth_text(const SynthSetup& setup, const pad::RigDraws& draws);

}  // namespace tactelier::synth
