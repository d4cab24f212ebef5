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
#include "fitting/adaptive/press_choice.hpp"
#include "fitting/adaptive/standing.hpp"
#include "libcalib/protocol/protocol.hpp"

namespace tactelier::adaptive {

struct AdaptiveSettings {
  std::vector<Target> targets = usual_targets();
  double most_s = 3600;     // of rig time; `standard` takes 4600
  double most_force_N = 3;  // of a press
  double most_depth_m = 1.5e-3;
  double speed_m_per_s = 1e-3;
  double most_speed_m_per_s = 8e-3;  // of the stage along z
  double rest_s = 3;                 // of a press: at rest before and after, ways through air
  double travel_m_per_s = 15e-3;
  double plate_force_N = 15;
  std::uint64_t seed = 1;
  int batch = 10;
};

/// What comes next.
struct NextSteps {
  std::string steps_json;  // an array, as in a protocol
  bool last = false;       // nothing comes behind them
  std::string why;         // "gains of 12 and 31; 54 of 84 within 2 %"
  std::vector<ChosenPress> presses;
};

/// Half-widths that fall by less from one fit to a later one show no progress.
constexpr double kNarrower = 0.97;

/// How a session stands, for people.
struct AdaptiveState {
  std::vector<Standing> targets;                       // empty before the first fit
  std::vector<std::optional<double>> gain_half_width;  // by tactel, relative; of the last fit
  std::set<int> given_up;                              // tactels
  std::vector<std::string>
      why_given_up;              // of these, and of targets that presses don't bring nearer
  int presses = 0, repeats = 0;  // recorded
  bool done = false;             // the last steps have been given
  std::string outcome;           // then: why no more
  /// Further rig time until the targets are met; nothing when it can't be told.
  std::optional<std::array<double, 2>> left_s;
  /// Half-widths expected at the end: of presses until all is met, or as many as the time allows.
  /// Of gains the widest; what blocks tell is not foreseen.
  std::vector<Target> foreseen;
};

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
  std::vector<PressThought> recorded_in(const SensorModel& model) const;
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
  nlohmann::json until_of(double force_N) const;
  std::string steps_of(const std::vector<ChosenPress>& presses) const;
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
