// Whatever protocol somebody writes: it is refused with a reason, or its plan keeps every rule.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "libcalib/protocol/plan.hpp"
#include "libcalib/protocol/plan_run.hpp"
#include "tests/libcalib/protocol/plan_check.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

/// The same protocols every time, unless RC_PARAMS says otherwise.
const int kSeeded = setenv("RC_PARAMS", "seed=20261121", 0);

/// low .. high - 1, whatever rapidcheck's size.
int some_int(int low, int high) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high));
}

/// A number between low and high, log-uniform, few digits.
double between(double low, double high) {
  const int part = some_int(0, 1001);
  return low * std::pow(high / low, part / 1000.0);
}

json some_sites() {
  switch (some_int(0, 4)) {
    case 0:
      return some_int(1, 5);
    case 1:
      return json::array({"centre"});
    case 2:
      return json::array({some_int(0, 84), some_int(0, 84)});
    default:
      return json::array({json::array({between(0.1, 9), -between(0.1, 20)})});
  }
}

json some_target(json step) {
  if (*rc::gen::arbitrary<bool>())
    step["depth_mm"] = between(0.05, 1.8);
  else
    step["force_N"] = between(0.1, 4);
  return step;
}

json some_until() {
  json until;
  if (*rc::gen::arbitrary<bool>()) until["force_N"] = between(0.2, 4);
  if (*rc::gen::arbitrary<bool>()) until["saturated"] = true;
  if (*rc::gen::arbitrary<bool>()) until["time_s"] = between(0.05, 60);
  if (*rc::gen::arbitrary<bool>()) until["pressure_MPa"] = between(0.01, 0.4);
  if (until.empty() || *rc::gen::arbitrary<bool>()) until["depth_mm"] = between(0.05, 1.9);
  return until;
}

json some_step() {
  switch (some_int(0, 12)) {
    case 0:
      return {{"do", "zero"}, {"time_s", between(0.1, 20)}};
    case 1:
      return {{"do", "plate"}, {"force_N", between(1, 20)}, {"speed_mm_s", between(0.01, 1)}};
    case 2:
      return {
          {"do", "scan"},          {"tactels", some_sites()},   {"speed_mm_s", between(0.02, 9)},
          {"until", some_until()}, {"repeats", some_int(1, 3)}, {"rest_s", between(0.1, 30)},
          {"order", "random"},     {"seed", some_int(0, 100)}};
    case 3:
      return {{"do", "staircase"},
              {"sites", some_sites()},
              {"dwell_s", between(0.1, 5)},
              {"depths_mm", json::array({between(0.05, 1.8), between(0.05, 1.8)})},
              {"until", some_until()}};
    case 4:
      return some_target({{"do", "hold"},
                          {"sites", some_sites()},
                          {"ramp_s", between(0.1, 5)},
                          {"time_s", between(0.1, 50)}});
    case 5:
      return some_target({{"do", "cycles"},
                          {"sites", some_sites()},
                          {"speed_mm_s", between(0.05, 9)},
                          {"count", some_int(1, 5)}});
    case 6:
      return {{"do", "speeds"},
              {"sites", some_sites()},
              {"depth_mm", between(0.05, 1.8)},
              {"speeds_mm_s", json::array({between(0.02, 9), between(0.02, 9)})}};
    case 7:
      return {{"do", "chirp"},
              {"sites", some_sites()},
              {"preload_mm", between(0.1, 1.5)},
              {"amplitude_mm", between(0.001, 0.09)},
              {"from_hz", between(0.1, 1)},
              {"to_hz", between(1, 20)},
              {"time_s", between(0.5, 60)}};
    case 8:
      return some_target({{"do", "raster"},
                          {"area_mm", {-1, -1, 1, 2}},
                          {"step_mm", between(0.4, 3)},
                          {"dwell_s", between(0.1, 1)}});
    case 9:
      return {{"do", "area"}, {"force_N", {1, between(1, 20)}}, {"dwell_s", between(0.1, 5)}};
    case 10:
      return {{"do", "reference"}, {"what", "pad"}};
    default:
      return {{"do", "images"},
              {"indenters", json::array({{{"shape", "hexagon"}, {"across_flats_mm", 8}}})},
              {"rz_deg", {0, 45}},
              {"force_N", between(0.5, 6)},
              {"dwell_s", between(0.5, 3)}};
  }
}

json some_slide() {
  const json ball{
      {"do", "prompt"}, {"text", "Ball."}, {"indenter", {{"shape", "sphere"}, {"diameter_mm", 8}}}};
  json slide{{"do", "slide"},
             {"load_N", between(0.2, 3)},
             {"speeds_mm_s", {between(0.1, 28), between(0.1, 28)}},
             {"length_mm", between(0.5, 18)},
             {"directions_deg", {0, some_int(-180, 181)}}};
  json preslide{{"do", "preslide"},
                {"load_N", {0.5, 1}},
                {"amplitude_mm", between(0.001, 0.2)},
                {"frequencies_hz", {between(0.1, 10)}},
                {"time_s", between(1, 20)}};
  return json::array({ball, slide, preslide});
}

Protocol some_protocol() {
  json steps = json::array();
  const int count = some_int(1, 5);
  for (int i = 0; i < count; ++i) steps.push_back(some_step());
  if (some_int(0, 3) == 0)
    for (auto& step : some_slide()) steps.push_back(step);
  const json document{{"format", "tactelier/protocol"},
                      {"version", 1},
                      {"name", "random"},
                      {"indenter", {{"shape", "cylinder"}, {"diameter_mm", 1}}},
                      {"steps", steps}};
  auto protocol = parse_protocol(document.dump(), "random.json");
  if (!protocol) RC_FAIL(protocol.error().message);
  return *protocol;
}

RC_GTEST_PROP(PlanProperty, KeepsEveryRuleOrNamesTheStep, ()) {
  const auto protocol = some_protocol();
  const auto setup = bench_setup();
  const auto plan = plan_protocol(protocol, load_sensor("weiss-wts0614").value(), setup);
  RC_CLASSIFY(plan.has_value(), "planned");
  RC_ASSERT(kSeeded == 0);
  if (!plan) {
    RC_ASSERT(plan.error().code == ErrorCode::kInvalidInput);
    RC_ASSERT(plan.error().message.starts_with("random: step "));
    return;
  }
  const auto broken = broken_rule(*plan, setup);
  if (!broken.empty()) RC_FAIL(broken);
  RC_ASSERT(plan->peak_force_N <= 25.0 * (1 + 1e-9));
  RC_ASSERT(plan->worst_force_N >= plan->peak_force_N);
}

/// Conditions met at any moment: the run still moves without jumps, below the limits, and ends.
RC_GTEST_PROP(PlanProperty, RunsOnSafelyWhateverEndsEarly, ()) {
  const auto protocol = some_protocol();
  const auto setup = bench_setup();
  const auto plan = plan_protocol(protocol, load_sensor("weiss-wts0614").value(), setup);
  if (!plan) return;
  PlanRun run(*plan, 0);
  Vector3 at_m = plan->start_m;
  while (run.running()) {
    RC_ASSERT(distance_m(run.position_m(run.begin_s()), at_m) < 1e-10);
    const double lasts_s = run.end_s() - run.begin_s();
    RC_ASSERT(lasts_s >= 0);
    if (run.segment().until.any() || run.segment().aim_N) {
      const int part = some_int(0, 14);
      if (part <= 10)
        run.stop(run.begin_s() + lasts_s * part / 10,
                 *rc::gen::arbitrary<bool>() ? EarlyEnd::kUntil : EarlyEnd::kAim);
    }
    const double step_s = (run.end_s() - run.begin_s()) / 20;
    for (int i = 0; i < 20 && step_s > 1e-9; ++i) {
      const auto a_m = run.position_m(run.begin_s() + i * step_s);
      const auto b_m = run.position_m(run.begin_s() + (i + 1) * step_s);
      RC_ASSERT(std::abs(b_m[2] - a_m[2]) <=
                setup.stage.z_speed_m_per_s * step_s * (1 + 1e-6) + 1e-12);
    }
    at_m = run.position_m(run.end_s());
    run.advance();
  }
  RC_ASSERT(at_m[2] >= setup.stage.air_gap_m);
}

}  // namespace
}  // namespace tactelier
