#pragma once
// `tactelier synth`: a recording of a pad whose truth is known, as a rig would have made it.
//
//   auto bench = SimulatedBench::create(setup);        // truth, effects, rig, protocol, seed
//   auto report = bench->record("NAME.tact", job);
//
// The same setup gives the same recording, to the last digit, on every machine whose exp, sin and
// log agree; nothing depends on the standard library's distributions or on the time of day.

#include <filesystem>
#include <functional>
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

/// Steps with which a recording goes on, chosen while it was made.
struct FurtherSteps {
  std::string steps_json;  // an array, as in a protocol
  std::string why;         // stands in the recording beside them
};

/// Asked as soon as the last steps that are known begin, with the recording as far as it goes,
/// which can be read, and when those steps are expected to end; nothing: they were the last ones.
using AskForSteps = std::function<Result<std::optional<FurtherSteps>>(
    const std::filesystem::path& so_far, double end_s)>;

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
  /// The same for a recording that grows: its protocol is only how it begins.
  Result<SynthReport> record_growing(const std::filesystem::path& file, const AskForSteps& ask,
                                     const Job& job, bool overwrite = false) const;

 private:
  Result<SynthReport> make(const std::filesystem::path& file, const AskForSteps& ask,
                           const Job& job, bool overwrite) const;

  SynthSetup setup_;
  Plan plan_;
};

/// The truth of this recording's pad with the faults of the preset filled in.
pad::PadTruth truth_with_faults(const pad::PadTruth& truth, const pad::RigDraws& draws);

/// The rig's truth as a rig file (docs/virtual-bench.md 1): true height and tilt of the surface,
/// what bends, plays and drifts, under `truth` what has no place elsewhere.
std::string rig_truth_text(const SynthSetup& setup, const pad::RigDraws& draws);

}  // namespace tactelier::synth
