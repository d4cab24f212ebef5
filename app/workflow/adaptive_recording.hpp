#pragma once
// A recording that chooses its presses (fitting/adaptive): what is asked of it, its steps in words
// for who records, a fit of what is recorded whenever steps are wanted. The same for the simulated
// pad and a rig.

#include <array>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "devices/server/rig_messages.hpp"
#include "fitting/adaptive/adaptive_session.hpp"
#include "fitting/adaptive/refresh_session.hpp"
#include "libcalib/job.hpp"
#include "libcalib/protocol/rig.hpp"

namespace tactelier {

struct AdaptiveWish {
  std::string targets;            // "gain 2 %, sigma 1 %, k 2 %"; empty: the usual ones
  std::optional<double> minutes;  // of rig time at most; nothing: an hour
  std::uint64_t seed = 1;
  /// Model file: only what has changed since it was made is pressed again, and targets say how well
  /// that is to be known.
  std::filesystem::path refresh{};
};

/// What a protocol states as its targets; nothing for one that is whole.
std::optional<AdaptiveWish> wish_in(const Protocol& protocol);

/// Presses "that are chosen until gain 2 %, 60 min at most".
std::string wish_words(const AdaptiveWish& wish);

/// After a choice.
struct AdaptiveNews {
  double end_s = 0;  // when the steps so far will have ended
  adaptive::AdaptiveState state;
  std::vector<adaptive::ChosenPress> next;
};

class AdaptiveRecording {
 public:
  /// Fails with kUsage on targets that aren't understood, with kUnidentifiable on sensors and tips
  /// for which presses can't be chosen.
  static Result<AdaptiveRecording> create(const SensorDescription& sensor, const RigFile& rig,
                                          const AdaptiveWish& wish,
                                          std::function<void(const AdaptiveNews&)> on_news);

  void set_on_news(std::function<void(const AdaptiveNews&)> on_news) {
    on_news_ = std::move(on_news);
  }
  Protocol opening() const;
  /// All steps that have been given so far, opening() at first.
  const Protocol& so_far() const { return so_far_; }
  /// These steps instead of opening().
  Result<void> begin_with(const Protocol& protocol);
  /// Of a recording that was cut off: with what has been ordered so far.
  Result<void> go_on_with(const Protocol& protocol);
  /// Where nobody chooses in time: every tactel once, an array of steps.
  nlohmann::json steps_in_need() const;
  /// Steps that follow those which have begun now and will end at `end_s`, after a fit of what
  /// `file` holds by now; nothing when there are none.
  Result<std::optional<adaptive::NextSteps>> after(const std::filesystem::path& file, double end_s,
                                                   const Job& job);

 private:
  using Session = std::variant<adaptive::AdaptiveSession, adaptive::RefreshSession>;

  AdaptiveRecording(SensorDescription sensor, PlanSetup setup, Session session,
                    std::function<void(const AdaptiveNews&)> on_news);

  Result<void> count_presses();
  Result<std::optional<adaptive::NextSteps>> next_of(adaptive::AdaptiveSession& session,
                                                     const std::filesystem::path& file,
                                                     double end_s, bool recorded, const Job& job);
  Result<std::optional<adaptive::NextSteps>> next_of(adaptive::RefreshSession& session,
                                                     const std::filesystem::path& file,
                                                     double end_s, bool recorded, const Job& job);

  SensorDescription sensor_;
  PlanSetup setup_;
  Session session_;
  std::optional<SensorModel> earlier_;  // of a RefreshSession
  Protocol so_far_;                     // all steps that have been given
  std::vector<std::string> stages_;     // of the fit
  std::function<void(const AdaptiveNews&)> on_news_;
  bool pressed_ = false;  // something may be recorded
};

/// What the rig process is told; without further steps those before were the last ones.
rig::messages::FurtherOrder further_order(const std::optional<adaptive::NextSteps>& next);

/// What a recording that chooses its presses is expected to be, before anything is known of the
/// pad: of rubber as ExpectedSensor has it.
struct AdaptiveForesight {
  Protocol opening;
  Plan begins;                               // of the opening, on that rig
  std::vector<adaptive::ChosenPress> first;  // presses behind it
  /// Until all targets are met, with the opening; nothing where the time is too short for them.
  std::optional<std::array<double, 2>> all_s;
  std::vector<adaptive::Target> reached;  // half-widths then, or when the time is over
};
Result<AdaptiveForesight> foresee_adaptive(const SensorDescription& sensor, const RigFile& rig,
                                           const AdaptiveWish& wish);

/// How targets stand, a line each: "gain  54 of 84 within 2 %, widest 3.1 % (tactel 31)".
std::vector<std::string> standing_lines(const adaptive::AdaptiveState& state);

/// After a choice, a line: "54 presses, 7 min, 3 to 7 min left; gain 8 of 84, 9.9 %; sigma 3.3 %".
std::string choice_words(const AdaptiveNews& news);

/// Why it ended, how the targets stand, what was given up.
std::string outcome_text(const adaptive::AdaptiveState& state);

}  // namespace tactelier
