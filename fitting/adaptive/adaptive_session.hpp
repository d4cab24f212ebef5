#pragma once
// A session that chooses its presses: how it begins, which steps come next, when it is done. Knows
// neither rig nor simulator: whoever records asks for steps whenever the last ones have begun, with
// what a fit of the recording so far has found.
//
//   AdaptiveSession session(sensor, tip, quality, settings);
//   record(session.opening());
//   while (const auto next = session.next(model_so_far, planned_s)) record_behind(*next);
//
// It is done when all targets are met by the fit's own intervals twice in a row, a batch apart,
// with at least ten repeats; or when its time is over; or when what is missing can't be had by
// presses. docs/theory/adaptive.md

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fitting/adaptive/blocks.hpp"
#include "fitting/adaptive/session_state.hpp"
#include "libcalib/protocol/protocol.hpp"

namespace tactelier::adaptive {

/// Half-widths that fall by less from one fit to a later one show no progress.
constexpr double kNarrower = 0.97;

class AdaptiveSession {
 public:
  /// Fails with kUnidentifiable where presses can't be chosen: PressInformation::create().
  static Result<AdaptiveSession> create(const SensorDescription& sensor, const MountedIndenter& tip,
                                        const RigQuality& quality,
                                        const AdaptiveSettings& settings);

  /// Zero, plate, holds, the anchor twice: what every session begins with.
  Protocol opening() const;
  /// Every tactel once, in random order: for who waits for next() in vain.
  nlohmann::json steps_in_need() const;
  /// The presses of all steps so far, in order, as they are planned: before next().
  void set_ordered(std::vector<PressThought> presses) { ordered_ = std::move(presses); }
  /// `model`: of what is recorded; nothing before anything is. `planned_s`: how long the steps so
  /// far take. Nothing after the last steps.
  std::optional<NextSteps> next(const SensorModel* model, double planned_s);

  const AdaptiveState& state() const { return state_; }

 private:
  AdaptiveSession(const SensorDescription& sensor, MountedIndenter tip, RigQuality quality,
                  AdaptiveSettings settings);

  PressInformation informed(const SensorModel* model) const;
  std::vector<Wanted> wanted(const SensorModel* model, const PressInformation& recorded) const;
  void look_at(const SensorModel& model);
  void give_up(const SensorModel& model);
  void say_why(const SensorModel& model);
  bool stalled(std::size_t target) const;
  void give_up_target(std::size_t target);
  bool open(const Standing& standing) const;
  std::vector<TargetKind> blocks_now(const SensorModel* model);
  BlockSettings block_settings() const;
  NextSteps closing(std::string outcome);
  std::string words(const std::vector<ChosenPress>& presses) const;
  void foresee(const PressInformation& information, const std::vector<Wanted>& wanted,
               std::vector<PressThought> presses, double allowed_s);

  SensorDescription sensor_;
  MountedIndenter tip_;
  RigQuality quality_;
  AdaptiveSettings settings_;
  PressRange range_;
  PressChoice choice_;
  std::vector<PressThought> ordered_;           // all presses of the steps so far
  std::vector<std::vector<Standing>> history_;  // after each fit
  std::map<TargetKind, std::string> left_;      // targets that more presses don't bring nearer: why
  std::map<TargetKind, int> blocks_;            // so far, of each
  int batches_ = 0;
  std::map<TargetKind, int> last_block_;  // in which batch
  int met_in_a_row_ = 0;
  AdaptiveState state_;
};

}  // namespace tactelier::adaptive
