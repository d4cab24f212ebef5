#pragma once
// tactelier synth: a protocol carried out on a simulated pad, the truth beside the recording.

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/workflow/adaptive_recording.hpp"
#include "libcalib/job.hpp"
#include "libcalib/protocol/plan.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

struct SynthRequest {
  std::string protocol;  // name or file
  std::filesystem::path target;
  bool overwrite = false;
  std::string sensor = "weiss-wts0614";              // name or file; not used with `truth`
  std::optional<std::filesystem::path> truth;        // sensor model to simulate
  std::optional<std::filesystem::path> rig;          // else the virtual bench's
  std::optional<std::filesystem::path> write_truth;  // else NAME.truth.json
  std::string preset = "clean";
  std::string steps;  // how the stage makes them: kStageSteps; "": ringing but on clean
  std::uint64_t seed = 1;
  std::vector<std::string> draw;  // what else than the basics drawn truths have: kDrawn
};

/// Properties of drawn pads that need asking for: not every fit can represent them.
/// "none": not even the relaxation that pads of every preset but `clean` have.
inline constexpr std::array<std::string_view, 5> kDrawn{"relaxation", "hardening", "student",
                                                        "anisotropic", "none"};

/// A step is there at once at the next whole millisecond, or begins when it is due and rings.
inline constexpr std::array<std::string_view, 2> kStageSteps{"ticks", "ringing"};

struct SynthOutcome {
  std::filesystem::path recording;
  std::filesystem::path truth;      // sensor model
  std::filesystem::path rig_truth;  // rig file
  double duration_s = 0;
  std::uint64_t force_samples = 0;
  std::uint64_t frames = 0;
  std::size_t presses = 0;
  Warnings warnings;
};

/// Nothing carries a final name unless the recording is whole.
Result<SynthOutcome> synth_session(const SynthRequest& request, const Job& job);

/// A recording that chooses its presses on the pad that `request` describes; its protocol is not
/// used. `on_state` after each fit.
Result<SynthOutcome> synth_until(const SynthRequest& request, const AdaptiveWish& wish,
                                 const std::function<void(const AdaptiveNews&)>& on_state,
                                 const Job& job);

/// One line of what a protocol would give.
struct Prediction {
  std::string path;  // "stiffness.k_punch"; for tactels "response.tactels[].press_gain"
  std::string unit;
  std::optional<double> value;  // at the expected parameters; of tactels the median
  std::optional<double> u;      // 95 %; of tactels the median
  int determined = 0;           // of `of` (1 for what isn't by tactel)
  int of = 1;
  std::string reason;  // where nothing is determined
};

struct DryRun {
  Plan plan;
  std::vector<Prediction> predictions;
  Warnings warnings;  // of the planner, and ED-01
};

/// The plan, without moving or recording anything.
Result<Plan> plan_synth(const SynthRequest& request);

/// What the protocol will and won't identify at the expected parameters (those of the pad that
/// synth would simulate). The protocol is rehearsed on that pad and what comes out is fitted, so
/// intervals and refusals are those of the fit itself: its Jacobians, its rank tests.
Result<DryRun> rehearse(const SynthRequest& request, const Job& job);

}  // namespace tactelier
