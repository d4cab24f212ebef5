#pragma once
// Follows a plan step by step with feedback. Where the plan had to guess - a ramp that ends by
// force, an operator who answers late - everything after is timed and, from where the tip really
// is, moved anew. Used by the simulated recording; the real rig's runner asks the same questions.
//
//   PlanRun run(plan, 0.0);
//   while (run.running()) {                       // each control period, t rising
//     if (const auto end = ended_by(run.segment(), reading)) run.stop(t, *end);
//     if (t >= run.end_s()) run.advance();        // several may follow at one t
//     move the tip to run.position_m(t)
//   }

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "libcalib/protocol/plan.hpp"

namespace tactelier {

/// What the executor knows of the contact right now.
struct ContactReading {
  double force_N = 0;
  double depth_m = 0;
  double pressure_Pa = 0;  // force over the larger of contact area and one tactel
  bool saturated = false;
  double since_clock_s = 0;  // PlanRun::since_clock_s
  double step_N = 0;  // what the stage's next step adds, where it is hard ground: a force that is
                      // nearer before that step than after it counts as reached
};

enum class EarlyEnd {
  kAim,    // the force that the ramp was for: the next segment follows
  kUntil,  // a condition of the step: after_until follows
};

/// Nothing while the segment goes on.
std::optional<EarlyEnd> ended_by(const Segment& segment, const ContactReading& reading);

class PlanRun {
 public:
  /// `plan` must outlive this. Prompts last as planned unless `prompts_wait`: then until answer().
  PlanRun(const Plan& plan, double start_s, bool prompts_wait = false);

  /// The plan has been given further segments behind those that it had.
  void plan_grew();

  bool running() const { return index_ < plan_->segments.size(); }
  std::size_t index() const { return index_; }
  const Segment& segment() const { return plan_->segments[index_]; }
  /// Of this segment, from where it really began; stops left out.
  const Motion& motion() const { return motion_; }
  double begin_s() const { return begin_s_; }
  /// When the segment ends if nothing stops it; infinite for a prompt that waits.
  double end_s() const { return end_s_; }
  /// For until.time_s: since the press at hand began to move down.
  double since_clock_s(double t_s) const { return t_s - clock_s_; }

  Vector3 position_m(double t_s) const;
  Vector3 velocity_m_per_s(double t_s) const;

  /// Brakes from here on; the segment ends at rest, at the new end_s(). A second stop changes
  /// nothing.
  void stop(double t_s, EarlyEnd why);
  bool stopping() const { return brake_s_ < std::numeric_limits<double>::infinity(); }
  /// Ends a prompt that waits.
  void answer(double t_s);
  /// To the next segment, which begins where and when this one ended. `correction_m` is what the
  /// executor has moved beyond the plan, regulating a force.
  void advance(const Vector3& correction_m = {0, 0, 0});

 private:
  void enter(std::size_t index, double t_s, const Vector3& at_m);
  Motion motion_from(const Segment& segment, const Vector3& at_m, double t_s) const;

  const Plan* plan_;
  bool prompts_wait_;
  std::size_t index_ = 0;
  std::size_t next_ = 0;
  double begin_s_ = 0;
  double end_s_ = 0;
  double clock_s_ = 0;
  Motion motion_;
  double brake_s_ = std::numeric_limits<double>::infinity();  // since begin
  Motion brake_;
  std::vector<double> ended_s_;  // per segment; NaN for those not passed
};

}  // namespace tactelier
