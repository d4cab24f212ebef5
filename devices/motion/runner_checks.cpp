// Runner: what checks the rig before it measures, the warm-up gate and the leaf spring.

#include <fmt/format.h>

#include "devices/motion/runner.hpp"

namespace tactelier::rig {
namespace {

constexpr double kLook_s = 1;          // a mean of the force
constexpr double kSpringRead_s = 0.5;  // behind half a second in which it comes to rest

}  // namespace

Result<bool> Runner::wait_until_still(const Segment& segment) {
  WarmUpWatch watch(*segment.still);
  const double begun_s = motion_.now_s();
  const double most_s = segment.motion.duration_s();
  bool skipped = false;
  while (!watch.still() && !skipped && motion_.now_s() - begun_s < most_s) {
    const auto mean = live_.quiet_mean(kLook_s, false);
    if (!mean) return fail(mean.error());
    if (stop_.stop_requested()) return fail(ErrorCode::kCancelled, "stopped on request");
    skipped = control_.skip.exchange(false);
    const auto& force_N = mean->wrench_SI;
    watch.add_force(motion_.now_s(), {force_N[0], force_N[1], force_N[2]});
    waits_for_ = watch.describe();
    report_progress();
  }
  waits_for_.clear();
  const double waited_s = motion_.now_s() - begun_s;
  live_.event("warm_up", watch.event_data(waited_s));
  if (watch.still()) return false;
  const auto text = fmt::format(
      "{} after {:.0f} s: the force sensor is not warm, or its cable, a draught or a loose mount "
      "moves its zero",
      watch.describe(), waited_s);
  if (segment.still->required && !skipped) return fail(ErrorCode::kTimeout, "NOT-WARM {}", text);
  report_.warnings.push_back(
      {"NOT-WARM", text, fmt::format("step {}", plan_.steps[segment.step].label)});
  return false;
}

Result<bool> Runner::read_spring(const Segment& segment) {
  const auto ended = motion_.rest(segment.motion.duration_s() - kSpringRead_s, condition(segment));
  if (!ended || *ended) return ended;
  const double bias_N = live_.reading().bias_N;
  const auto mean = live_.quiet_mean(kSpringRead_s, false);
  if (!mean) return fail(mean.error());
  if (stop_.stop_requested()) return fail(ErrorCode::kCancelled, "stopped on request");
  spring_.add(live_.reading().stage.position_m[2], live_.pressing_N(*mean) - bias_N);
  return false;
}

void Runner::tell_spring(const Segment& segment) {
  const auto where = fmt::format("step {}", plan_.steps[segment.step].label);
  const auto found = rig_.leaf_spring
                         ? spring_.find({*rig_.leaf_spring, rig_.compliance_m_per_N.value_or(0),
                                         rig_.force_gain_u_percent})
                         : std::nullopt;
  spring_.clear();
  if (!found) {
    report_.warnings.push_back({"SPRING-UNREAD",
                                "the presses of the leaf spring tell no stiffness: too few of "
                                "them came to their force",
                                where});
    return;
  }
  live_.event("spring", found->event_data());
  if (!found->agrees()) report_.warnings.push_back({"SPRING-OFF", found->describe(), where});
}

}  // namespace tactelier::rig
