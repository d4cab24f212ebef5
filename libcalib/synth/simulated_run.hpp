#pragma once
// Follows a plan on the simulated pad: what `record` does on a rig, without wires. It knows of the
// pad only what a rig would: the force measured, the readings, where it told the stage to go.

#include <limits>
#include <optional>
#include <vector>

#include "libcalib/pad/pad.hpp"
#include "libcalib/protocol/force_regulator.hpp"
#include "libcalib/protocol/force_watch.hpp"
#include "libcalib/protocol/pad_frame.hpp"
#include "libcalib/protocol/plan_run.hpp"
#include "libcalib/protocol/rig.hpp"
#include "libcalib/protocol/saturation_watch.hpp"
#include "libcalib/protocol/spring_measure.hpp"
#include "libcalib/protocol/warm_up_watch.hpp"
#include "libcalib/session/events.hpp"

namespace tactelier::synth {

/// Time on the host's clock, which is the simulated world's true time.
class SimulatedRun {
 public:
  /// Everything must outlive this. `rig` says where the surface is believed to be and how the
  /// frames lie; the tip follows the believed tilt over the pad. Of `stage` its step and what it
  /// has been given and goes on with after a stop. `collision_s`: when somebody knocks against
  /// the table.
  SimulatedRun(const Plan& plan, const RigFile& rig, const SensorDescription& sensor, pad::Pad& pad,
               double press_sign, const pad::StageEffects& stage = {},
               double collision_s = std::numeric_limits<double>::infinity());

  bool running() const { return run_.running(); }
  double t_s() const { return t_s_; }
  const PlanRun& progress() const { return run_; }
  /// The plan has further segments now; while running.
  void plan_grew() { run_.plan_grew(); }

  /// One millisecond. Appends samples and events. Fails on an indenter that isn't simulated.
  Result<void> step(pad::PadOutput& output, std::vector<Event>& events);

 private:
  struct Marks {
    std::size_t force, frames, temperature;
  };
  struct Stop {
    double at_s;
    EarlyEnd why;
  };
  Result<void> begin_segment(std::vector<Event>& events);
  Result<void> end_segment(std::vector<Event>& events);
  Result<void> tell_findings(const Segment& segment, std::vector<Event>& events);
  Result<void> lay_by_hand(const ByHand& what);
  void choose_target();
  bool over_ground(const Vector3& at_m) const;
  Result<void> watch(const pad::PadOutput& output, const Marks& before, double clearance_m,
                     std::vector<Event>& events);
  void watch_stillness(const pad::PadOutput& output, const Marks& before);
  Result<void> note_move(std::vector<Event>& events);
  Result<void> brake(double t_s, EarlyEnd why, std::vector<Event>& events);
  Result<void> note(double t_s, const PlannedEvent& event, std::vector<Event>& events);

  PlanRun run_;
  PadFrame frame_;
  const SensorDescription* sensor_;
  pad::Pad* pad_;
  Indenter indenter_;
  double acceleration_m_per_s2_;
  int lines_ = 0;  // sent to the stage so far
  std::int64_t steps_ = 0;
  double t_s_ = 0;
  double prepared_ahead_s_;
  double collision_s_;
  std::optional<Vector3> ground_m_;  // touched beside the pad, plan frame
  std::optional<Stop> stop_;         // of this segment
  double answer_mm_ = 0;             // what the operator reads off the gauge
  double press_sign_;
  ForceWatch force_;
  ForceRegulator regulator_;
  SaturationWatch saturation_;
  std::optional<WarmUpWatch> warm_up_;  // of a wait until the rig stands still
  SpringBasis spring_basis_;
  SpringMeasure spring_;
  bool begun_ = false;
};

}  // namespace tactelier::synth
