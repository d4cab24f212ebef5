// Conditioning: presses before anything counts. Virgin rubber is stiffer (Mullins effect), so each
// place is loaded several times, further than anything behind it goes, and rests then.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/protocol/later_presses.hpp"
#include "libcalib/protocol/plan_event.hpp"
#include "libcalib/protocol/plan_steps.hpp"
#include "libcalib/protocol/step_text.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kShareOfLimit =
    0.95;  // of a force limit: what is stiffer than expected ends there
constexpr double kWhole = 1 - 1e-6;

struct Goal {
  Target target;
  Until until;
  std::string why;  // "1.2 times step 4", "as stated"
};

void end_at(Until& until, std::optional<double> force_N) {
  if (force_N) until.force_N = std::min(*force_N, until.force_N.value_or(*force_N));
}

/// So many times the deepest press behind the step, as far as the limits allow.
Goal goal_of(PlanBuilder& plan, const steps::Condition& condition, const LaterPresses& later,
             const Until& until) {
  Goal goal{{}, until, fmt::format("{:.6g} times step {}", condition.factor, later.step)};
  double depth_m = condition.factor * later.depth_m;
  depth_m = std::min({depth_m, plan.layer_m(), plan.setup().limits.max_depth_m.value_or(depth_m)});
  auto most_N = plan.force_limit_N(Touch::kPad, depth_m);
  if (most_N) *most_N *= kShareOfLimit;
  double share = depth_m / later.depth_m;
  if (later.force_N) {
    goal.target.force_N = std::min(condition.factor * *later.force_N, most_N.value_or(1e9));
    share = *goal.target.force_N / *later.force_N;
  } else {
    goal.target.depth_m = depth_m;
    end_at(goal.until, most_N);
  }
  if (share < condition.factor * kWhole) {
    goal.why = fmt::format("{:.3g} times step {}", share, later.step);
    plan.warn("CONDITION-BOUNDED",
              fmt::format("a limit lets conditioning go to {:.3g} times the largest press behind "
                          "it (step {}), not to {:.3g} times",
                          share, later.step, condition.factor));
  }
  return goal;
}

double speed_of(const PlanBuilder& plan, const steps::Condition& condition, const Target& target) {
  if (condition.speed_m_per_s) return *condition.speed_m_per_s;
  if (target.force_N) return gentle_speed_m_per_s(plan, *target.force_N);
  return std::min(plan.setup().press_speed_m_per_s, plan.setup().stage.z_speed_m_per_s);
}

Result<void> press_place(PlanBuilder& plan, const Place& place, const Goal& goal, int cycles,
                         double speed_m_per_s) {
  plan.approach(place, speed_m_per_s);
  plan.press_begin(place, {PressKind::kCycle, {}, "conditioning"});
  for (int i = 0; i < cycles; ++i) {
    if (plan.too_long()) return plan.bad("the protocol makes too many movements");
    auto ramp = plan.load_to(goal.target, speed_m_per_s, goal.until);
    if (!ramp) return fail(ramp.error());
    ramp->starts_clock = i == 0;
    if (auto done = plan.load(*ramp); !done) return done;
    plan.unload(speed_m_per_s, plan.air_gap_m(speed_m_per_s));
  }
  plan.press_end();
  return {};
}

std::string said(const Goal& goal, std::size_t sites, const steps::Condition& condition) {
  nlohmann::json data{
      {"cycles", condition.cycles}, {"sites", sites}, {"rest_s", tidy(condition.rest_s)}};
  if (goal.target.depth_m) data["depth_mm"] = tidy_mm(*goal.target.depth_m);
  if (goal.target.force_N) data["force_N"] = tidy(*goal.target.force_N);
  return canonical(data);
}

}  // namespace

std::string describe_step(const steps::Condition& s) {
  const auto sites = s.sites ? sites_text(*s.sites) : "all places pressed later";
  const auto how_far = s.depth_m || s.force_N
                           ? target_text({s.depth_m, s.force_N})
                           : fmt::format("{:.6g} times the largest press", s.factor);
  return fmt::format("{}: {} to {}, then {:.6g} s of rest", sites, times(s.cycles, "cycle"),
                     how_far, s.rest_s);
}

Result<void> plan_step(PlanBuilder& plan, const Step& step, const steps::Condition& condition) {
  if (plan.unconditioned() == nullptr) return {};
  if (auto ready = need_indenter(plan); !ready) return ready;
  const auto later =
      later_presses(*plan.unconditioned(), plan.row_index(), plan.setup(), plan.sensor());
  const bool stated = condition.depth_m || condition.force_N;
  if (later.places.empty() && !(stated && condition.sites))
    return plan.bad(
        "nothing behind it is pressed with this tip: say sites and depth_mm or force_N, or put it "
        "before the presses that count");
  if (later.earlier_step)
    plan.warn(
        "CONDITION-LATE",
        fmt::format("step {} presses the pad before it is conditioned: rubber is virgin there",
                    *later.earlier_step));
  const auto goal = stated ? Goal{{condition.depth_m, condition.force_N}, step.until, "as stated"}
                           : goal_of(plan, condition, later, step.until);
  auto found = later.places;
  if (condition.sites) {
    auto named = places(*condition.sites, plan.sensor());
    if (!named) return plan.bad(named.error());
    found = std::move(*named);
  }
  const double speed_m_per_s = speed_of(plan, condition, goal.target);
  if (auto fits = plan.check_speed("speed_mm_s", speed_m_per_s, true); !fits) return fits;
  for (const auto& place : found)
    if (auto done = press_place(plan, place, goal, condition.cycles, speed_m_per_s); !done)
      return done;
  plan.to_air();
  plan.wait(condition.rest_s);
  plan.event_at_end("conditioned", said(goal, found.size(), condition));
  plan.describe_as(fmt::format(
      "{}: {} to {} ({}), then {:.6g} s of rest", times(static_cast<int>(found.size()), "place"),
      times(condition.cycles, "cycle"), target_text(goal.target), goal.why, condition.rest_s));
  return {};
}

}  // namespace tactelier
