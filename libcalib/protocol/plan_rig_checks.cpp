// Steps that check the rig before it measures: the warm-up gate and the leaf spring.

#include <algorithm>

#include "libcalib/protocol/drift_watch.hpp"
#include "libcalib/protocol/plan_event.hpp"
#include "libcalib/protocol/plan_steps.hpp"
#include "libcalib/protocol/step_text.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kPerMinute = 60;
constexpr int kSpringSteps = 5;            // of the force
constexpr double kSpringRest_s = 1;        // at each
constexpr double kSpringSlack = 1.3;       // of the way that the spring is expected to give
constexpr double kSpringDoubt_m = 0.2e-3;  // of its height

}  // namespace

std::string describe_step(const steps::WarmUp& s) {
  return fmt::format(
      "until the force's zero drifts less than {:.6g} mN/min, at most {:.6g} min (counted: {:.0f} "
      "s)",
      1e3 * kPerMinute * s.drift_N_per_s, s.at_most_s / kPerMinute,
      std::min(DriftWatch::kLeast_s, s.at_most_s));
}

Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::WarmUp& warm_up) {
  static_cast<void>(step);
  plan.to_air();
  plan.wait(plan.setup().settle_s);
  plan.wait_until_still({warm_up.drift_N_per_s, warm_up.temperature_K_per_s, warm_up.required},
                        DriftWatch::kLeast_s, warm_up.at_most_s);
  return {};
}

std::string describe_step(const steps::Spring& s) {
  return fmt::format("leaf spring to {:.6g} N in {} steps, {}", s.force_N, kSpringSteps,
                     times(s.repeats, "press"));
}

Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Spring& wanted) {
  if (auto ready = need_indenter(plan); !ready) return ready;
  if (auto fits = plan.check_speed("speed_mm_s", wanted.speed_m_per_s, true); !fits) return fits;
  const auto& setup = plan.setup();
  if (!setup.spring) {
    plan.warn("NO-SPRING",
              "left out: the rig file has no leaf_spring, so nothing from outside checks force, "
              "depth and compliance together");
    return {};
  }
  const auto& spring = *setup.spring;
  if (wanted.force_N > spring.max_force_N.value_or(wanted.force_N))
    return plan.bad("force_N {:.6g} is more than the leaf spring stands, {:.6g} N (max_force_N)",
                    wanted.force_N, *spring.max_force_N);
  const double gives_m_per_N =
      1 / spring.stiffness_N_per_m + setup.expected.rig_compliance_m_per_N.high;
  const double gap_m = plan.air_gap_m(wanted.speed_m_per_s);
  const auto& at_m = spring.top_m;
  for (int i = 0; i < wanted.repeats; ++i) {
    plan.travel_to(at_m[0], at_m[1], at_m[2] + gap_m, at_m[2]);
    plan.begin_contact();
    plan.event_at_begin("spring_begin", "{}");
    for (int at = 1; at <= kSpringSteps; ++at) {
      LoadSpec ramp;
      ramp.aim_N = wanted.force_N * at / kSpringSteps;
      ramp.depth_m = kSpringSlack * wanted.force_N * gives_m_per_N + kSpringDoubt_m;
      ramp.speed_m_per_s = wanted.speed_m_per_s;
      ramp.until = step.until;
      ramp.starts_clock = at == 1;
      ramp.touch = Touch::kSpring;
      if (auto done = plan.load(ramp); !done) return done;
      plan.hold(kSpringRest_s, {}, step.until);
    }
    plan.unload(wanted.speed_m_per_s, gap_m);
    plan.wait(plan.free_air_after_s());
    plan.event_at_end("spring_end", "{}");
  }
  plan.last().ends_spring = true;
  return {};
}

}  // namespace tactelier
