#pragma once
// A session that looks for gains that have moved since a model was made, and presses only those
// again: presses spread over the whole array until a change would show anywhere, then on what has
// changed until its new gain is known (fitting/refresh, docs/theory/refresh.md). It knows neither
// rig nor simulator, as adaptive_session.hpp.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <vector>

#include "fitting/adaptive/session_state.hpp"
#include "fitting/refresh/gain_changes.hpp"
#include "libcalib/protocol/protocol.hpp"

namespace tactelier::adaptive {

/// What is recorded so far, and what it says.
struct RefreshSeen {
  std::size_t recorded = 0;           // presses, usable or not
  std::vector<PressThought> presses;  // the usable ones
  refresh::GainChanges changes;
};

class RefreshSession {
 public:
  /// `file` of the model, which the protocol names. Of `settings` the target of gains is how well
  /// those that changed are to be known: without one as well as the model knows its others
  /// (u_total, median), and no better than changes matter. Fails with kUnidentifiable where the
  /// model has no point spread, or presses can't be chosen for the tip.
  static Result<RefreshSession> create(const SensorModel& earlier, std::string file,
                                       const MountedIndenter& tip, const RigQuality& quality,
                                       const AdaptiveSettings& settings,
                                       const refresh::ChangeSettings& changes);

  /// Zero, the anchor twice.
  Protocol opening() const;
  /// Nothing more: who waits for next() in vain has what is recorded.
  nlohmann::json steps_in_need() const;
  void set_ordered(std::vector<PressThought> presses) { ordered_ = std::move(presses); }
  /// `seen`: nothing before anything is recorded. `planned_s`: how long the steps so far take.
  /// Nothing after the last steps.
  std::optional<NextSteps> next(const RefreshSeen* seen, double planned_s);

  const AdaptiveState& state() const { return state_; }

 private:
  RefreshSession(const SensorModel& earlier, std::string file, MountedIndenter tip,
                 PressInformation nothing_pressed, AdaptiveSettings settings,
                 refresh::ChangeSettings changes);

  void look_at(const RefreshSeen& seen);
  std::vector<Wanted> wanted(const RefreshSeen* seen, const PressInformation& recorded) const;
  NextSteps closing(std::string outcome);
  double standard_target(const refresh::TactelChange& tactel) const;

  std::string file_;  // of the model
  MountedIndenter tip_;
  PressInformation nothing_pressed_;
  AdaptiveSettings settings_;
  refresh::ChangeSettings changes_;
  PressChoice choice_;
  int anchor_ = 0;
  std::vector<int> tactels_;  // with a gain in the model
  double accuracy_ = 0;       // of changed gains, relative half-width
  std::vector<PressThought> ordered_;
  std::vector<int> changed_;  // at the last look
  std::vector<double> open_;  // after each look: how far all that is open is from its target
  int same_in_a_row_ = 0;
  AdaptiveState state_;
};

}  // namespace tactelier::adaptive
