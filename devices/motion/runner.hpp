#pragma once
// Follows a plan on real devices (plan.hpp; the simulated rig's counterpart is
// libcalib/synth/simulated_run). Times are whatever the stage takes; what was planned to happen
// happens in the planned order, and events carry the time when it did.
//
// A press whose limits act is marked aborted and the next one follows; a press whose verdict is
// bad (its zero moved, frames were lost, a side load, a knock) is marked repeated and done again,
// twice at most. A touch of the reference pad whose height has moved by more than 20 um pauses the
// run until somebody says to go on. A new tip ends the run where it was put on: whoever follows the
// plan finds the surface again and goes on with another Runner.

#include <atomic>
#include <functional>
#include <vector>

#include "devices/acquisition/open_events.hpp"
#include "devices/motion/descent.hpp"
#include "devices/motion/jog_wish.hpp"
#include "devices/motion/operator_interface.hpp"
#include "devices/motion/time_left.hpp"
#include "libcalib/protocol/force_regulator.hpp"
#include "libcalib/protocol/plan.hpp"
#include "libcalib/protocol/spring_measure.hpp"
#include "libcalib/protocol/warm_up_watch.hpp"

namespace tactelier::rig {

struct RunProgress {
  std::size_t segment = 0, segments = 0;
  double done_s = 0, left_s = 0;  // by the plan, corrected by how long its pieces took so far
  int presses = 0;                // begun
  std::string step;               // "3 scan"
  std::string detail;  // what a wait waits for: "force zero drifts 4.1 ± 0.8 mN/min ..."
};

/// A press begins or ends.
struct PressNews {
  int press = 0;              // in the recording
  std::optional<int> tactel;  // absent for a place between tactels
  std::string outcome;        // "" at its begin; else as recorded, or "withdrawn" later
};

struct RunReport {
  int presses = 0, aborted = 0, repeated = 0, undone = 0;
  double peak_force_N = 0;
  double duration_s = 0;
  bool complete = true;  // to the end of the plan
  /// The tip was changed: heights are void, and the run goes on here once they are found again.
  std::optional<std::size_t> goes_on_at;
  Warnings warnings;
};

/// Wishes of a client; any thread.
struct RunControl {
  std::atomic<bool> pause{false};
  std::atomic<bool> resting{false};  // the answer to it: the tip is up, nothing moves but this:
  JogWish jog;                       // not below the safe height
  std::atomic<bool> skip{false};     // the press at hand: aborted, not done again
  std::atomic<bool> repeat{false};   // the press at hand: done again
  /// The press at hand breaks off and is done again; between presses the last one is withdrawn and
  /// the run goes back to it.
  std::atomic<bool> undo{false};
  std::atomic<bool> finish{false};  // the run ends after the press at hand
};

class Runner {
 public:
  /// Everything must outlive this.
  Runner(LiveRig& live, const RigFile& rig, const Plan& plan, OperatorInterface& operator_at_rig,
         RunControl& control, std::stop_token stop);

  std::function<void(const RunProgress&)> on_progress;
  std::function<void(const PressNews&)> on_press;
  /// After a collision with the rig, the tip in the air and no press open: is everything still
  /// where it was? What it returns ends the run.
  std::function<Result<void>()> on_collision;

  /// Behind the last segment, the tip up: has the plan been given further ones? Then the run goes
  /// on with them.
  std::function<Result<bool>()> on_end;

  /// From a segment on (0, or where resume_point() says). Leaves the tip at the safe height and
  /// every event paired, however it ends. Fails with kCancelled on request, with kDeviceFault when
  /// a limit has locked the rig or a device has failed.
  Result<RunReport> run(std::size_t from_segment = 0, int presses_before = 0);

 private:
  struct Press {
    std::size_t segment = 0;  // where it begins
    int planned = 0;          // its number in the plan
    int tries = 1;
    std::optional<int> tactel;
    double zero_N = 0;
    std::int64_t lost = 0;
  };
  /// A press that may still be taken back.
  struct Finished {
    std::size_t segment = 0;
    int number = 0;  // in the recording
    std::optional<int> tactel;
  };
  Result<void> follow_guarded();
  Result<void> follow();
  Result<void> follow_known();
  /// True: there is more to follow.
  Result<bool> plan_grew();
  void undo_last();
  Result<void> carry_out(const Segment& segment);
  Result<bool> load(const Segment& segment);
  Result<void> stands_over(const Vector3& place_m) const;
  Result<bool> touch_ground(const Segment& segment, const DescentGoal& goal);
  /// It isn't what the pad lies on: told, and the step is over.
  Result<bool> leave_ground(const Segment& segment, const char* code, std::string_view why);
  Result<bool> hold(const Segment& segment);
  Result<bool> oscillate(const Segment& segment);
  /// Until the rig stands still (runner_checks.cpp).
  Result<bool> wait_until_still(const Segment& segment);
  /// Height and force at rest on the leaf spring.
  Result<bool> read_spring(const Segment& segment);
  void tell_spring(const Segment& segment);
  Result<Answer> ask(const Question& question);
  Result<void> prompt(const Segment& segment);
  void watch_change();
  Result<void> paused();
  Result<void> jog(const JogWay& way);
  /// Where the pause began, after jogs.
  Result<void> go_back(const Vector3& place_m);
  Result<void> collided(const Segment& next);
  /// At the end of a touch of the reference pad: has its height moved?
  void compare_reference(const Segment& segment);
  Result<void> ask_about_reference();
  Result<void> end_segment();
  void begin_contact(const Segment& segment);
  std::function<bool()> condition(const Segment& segment);
  bool near_range(const RigReading& reading);
  /// To whoever follows, where the last time was a second ago.
  void report_progress();

  void emit(const PlannedEvent& event);
  void close_open_events(std::string_view outcome);
  void note(const std::string& text);
  void tell(const PressNews& news) const;
  /// Of the press that ends; one that is done again sends the run back to it.
  std::string outcome(const std::string& planned);
  /// What was wrong with the press that ends: "" for nothing.
  std::string verdict() const;
  std::size_t after_press(std::size_t from) const;
  Vector3 target_of(const Segment& segment) const;

  LiveRig& live_;
  const RigFile& rig_;
  const Plan& plan_;
  OperatorInterface& operator_;
  RunControl& control_;
  std::stop_token stop_;
  RigMotion motion_;
  Descent descent_;
  ForceRegulator regulator_;
  std::size_t index_ = 0, next_ = 0;
  int near_range_press_ = 0;  // the last that was ended there
  std::vector<double> ended_s_;
  TimeLeft time_left_;
  double segment_begun_s_ = 0, reported_s_ = 0;
  double clock_s_ = 0;
  std::optional<MountedIndenter> indenter_;
  std::optional<double> answer_;
  std::optional<Press> press_;
  std::vector<Finished> finished_;              // since the tip was changed
  std::optional<double> reference_z_m_;         // of the first touch
  std::optional<std::string> reference_doubt_;  // what somebody must be asked
  SpringMeasure spring_;
  std::string waits_for_;
  std::optional<double> change_load_;  // most of the force sensor's range while a tip is changed
  OpenEvents open_;
  int presses_ = 0;
  bool skipping_ = false, undoing_ = false;
  bool new_tip_ = false;
  RunReport report_;
};

}  // namespace tactelier::rig
