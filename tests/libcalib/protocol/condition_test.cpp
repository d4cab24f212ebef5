// The step `condition`: how far, where and how often it presses, worked by hand.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "libcalib/protocol/plan.hpp"
#include "tests/libcalib/protocol/plan_check.hpp"

namespace tactelier {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr std::string_view kScan =
    R"({"do": "scan", "sites": [[0, 0], [1.7, 1.7]], "speed_mm_s": 1, "until": {"depth_mm": 0.8}},
       {"do": "hold", "sites": [[0, 0], [-1.7, 1.7]], "depth_mm": 0.5, "ramp_s": 1, "time_s": 5})";

Result<Plan> plan_of(std::string_view steps, const PlanSetup& setup = bench_setup()) {
  const auto protocol = parse_protocol(
      fmt::format(R"({{"format": "tactelier/protocol", "version": 1, "name": "mine", "indenter":
                       {{"shape": "cylinder", "diameter_mm": 1}}, "steps": [{}]}})",
                  steps),
      "mine.json");
  if (!protocol) return fail(protocol.error());
  return plan_protocol(*protocol, load_sensor("weiss-wts0614").value(), setup);
}

std::string refusal(std::string_view steps) {
  const auto plan = plan_of(steps);
  return plan ? "" : plan.error().message;
}

/// Loading ramps of the step with this label.
std::vector<const Segment*> loads_of(const Plan& plan, std::string_view label) {
  std::vector<const Segment*> found;
  for (const auto& segment : plan.segments)
    if (segment.phase == Phase::kLoad && plan.steps[segment.step].label == label)
      found.push_back(&segment);
  return found;
}

std::vector<json> events_of(const Plan& plan, std::string_view name) {
  std::vector<json> found;
  for (const auto& segment : plan.segments)
    for (const auto* list : {&segment.at_begin, &segment.at_end})
      for (const auto& event : *list)
        if (event.name == name) found.push_back(json::parse(event.data));
  return found;
}

double depth_m(const Segment& load) { return load.surface_z_m - load.end_m[2]; }

bool warns(const Plan& plan, std::string_view code) {
  return std::any_of(plan.warnings.begin(), plan.warnings.end(),
                     [&](const Warning& warning) { return warning.code == code; });
}

TEST(Condition, PressesEveryLaterPlaceThreeTimesToOneFifthBeyondTheDeepest) {
  const auto plan = plan_of(fmt::format(R"({{"do": "condition"}}, {})", kScan));
  ASSERT_TRUE(plan) << plan.error().message;
  const auto loads = loads_of(*plan, "1");
  ASSERT_EQ(loads.size(), 9U) << "three cycles at (0, 0), (1.7, 1.7) and (-1.7, 1.7)";
  for (const auto* load : loads) EXPECT_NEAR(depth_m(*load), 0.96e-3, 1e-9);
  EXPECT_NEAR(loads[0]->end_m[0], 0, 1e-12);
  EXPECT_NEAR(loads[3]->end_m[0], 1.7e-3, 1e-12);
  EXPECT_NEAR(loads[6]->end_m[0], -1.7e-3, 1e-12);
  const auto& step = plan->steps[0];
  EXPECT_EQ(step.presses, 3);
  EXPECT_EQ(step.what, "3 places: 3 cycles to 0.96 mm (1.2 times step 2), then 60 s of rest");
  const auto conditioned = events_of(*plan, "conditioned");
  ASSERT_EQ(conditioned.size(), 1U);
  EXPECT_EQ(conditioned[0],
            (json{{"cycles", 3}, {"sites", 3}, {"depth_mm", 0.96}, {"rest_s", 60.0}}));
  const auto ends = events_of(*plan, "press_end");
  ASSERT_EQ(ends.size(), 7U);
  for (std::size_t i = 0; i < ends.size(); ++i)
    EXPECT_EQ(ends[i]["outcome"], i < 3 ? "conditioning" : "ok") << i;
  EXPECT_EQ(broken_rule(*plan, bench_setup()), "");
}

TEST(Condition, ItsTimeIsCountedAndEndsWithTheRest) {
  const auto without = plan_of(kScan);
  const auto plan =
      plan_of(fmt::format(R"({{"do": "condition", "speed_mm_s": 1, "rest_s": 30}}, {})", kScan));
  ASSERT_TRUE(plan && without);
  // A cycle goes down 0.205 + 0.96 mm and up at 1 mm/s, 10 ms each for speeding up and slowing
  // down: 2.35 s. Three places of three cycles, free air 1 s before and 0.3 s after: 25.05 s, and
  // the ways between them, from 1 mm over the pad to 0.205 mm and back (0.18 s each), 2.4 mm and
  // 3.4 mm aside.
  const double by_hand_s = 9 * 2.35 + 3 * 1.3 + 30;
  EXPECT_GT(plan->steps[0].duration_s, by_hand_s + 3 * 0.3);
  EXPECT_LT(plan->steps[0].duration_s, by_hand_s + 3 * 1.0);
  EXPECT_NEAR(plan->duration_s - without->duration_s, plan->steps[0].duration_s, 0.5);
}

TEST(Condition, GoesByTheForceWhereAForceEndsTheDeepestPress) {
  const auto plan = plan_of(
      R"({"do": "condition", "cycles": 2}, {"do": "scan", "sites": [[0, 0]], "speed_mm_s": 1,
          "until": {"force_N": 1.5, "depth_mm": 1.6}})");
  ASSERT_TRUE(plan) << plan.error().message;
  const auto loads = loads_of(*plan, "1");
  ASSERT_EQ(loads.size(), 2U);
  EXPECT_DOUBLE_EQ(loads[0]->aim_N.value(), 1.8);
  EXPECT_DOUBLE_EQ(events_of(*plan, "conditioned").at(0)["force_N"].get<double>(), 1.8);
}

TEST(Condition, LimitsBoundItAndThatIsSaid) {
  auto setup = bench_setup();
  setup.limits.max_depth_m = 0.88e-3;
  const auto plan = plan_of(fmt::format(R"({{"do": "condition"}}, {})", kScan), setup);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_NEAR(depth_m(*loads_of(*plan, "1").front()), 0.88e-3, 1e-9);
  EXPECT_TRUE(warns(*plan, "CONDITION-BOUNDED"));
  EXPECT_THAT(plan->steps[0].what, HasSubstr("(1.1 times step 2)"));
  // 2 N/mm: 0.8 mm are 1.6 N; a limit of 1.8 N ends a press to 0.96 mm at 95 % of it.
  setup = bench_setup();
  setup.limits.max_force_N = 1.8;
  const auto soft = plan_of(fmt::format(R"({{"do": "condition"}}, {})", kScan), setup);
  ASSERT_TRUE(soft) << soft.error().message;
  const auto loads = loads_of(*soft, "1");
  EXPECT_NEAR(loads.front()->until.force_N.value(), 0.95 * 1.8, 1e-9);
  EXPECT_LE(soft->peak_force_N, 1.8);
}

TEST(Condition, WhatItIsToldWins) {
  const auto plan = plan_of(
      R"({"do": "condition", "sites": [[0, 0]], "depth_mm": 1.1, "cycles": 5, "rest_s": 0})");
  ASSERT_TRUE(plan) << plan.error().message;
  const auto loads = loads_of(*plan, "1");
  ASSERT_EQ(loads.size(), 5U);
  EXPECT_NEAR(depth_m(*loads[4]), 1.1e-3, 1e-9);
}

TEST(Condition, AnotherTipIsNotConditionedAndAPressBeforeIsNamed) {
  const auto plan = plan_of(
      R"({"do": "scan", "sites": [[0, 0]], "speed_mm_s": 1, "until": {"depth_mm": 0.2}},
         {"do": "condition"},
         {"do": "scan", "sites": [[0, 0]], "speed_mm_s": 1, "until": {"depth_mm": 0.5}},
         {"do": "prompt", "text": "Ball.", "indenter": {"shape": "sphere", "diameter_mm": 10}},
         {"do": "scan", "sites": [[1.7, 0]], "speed_mm_s": 1, "until": {"depth_mm": 0.9}})");
  ASSERT_TRUE(plan) << plan.error().message;
  const auto loads = loads_of(*plan, "2");
  ASSERT_EQ(loads.size(), 3U);
  EXPECT_NEAR(depth_m(*loads[0]), 0.6e-3, 1e-9);
  EXPECT_TRUE(warns(*plan, "CONDITION-LATE"));
}

TEST(Condition, SenselessOnesAreRefusedByStepAndKey) {
  EXPECT_THAT(refusal(R"({"do": "condition"}, {"do": "zero", "time_s": 1})"),
              HasSubstr("mine: step 1 (condition): nothing behind it is pressed with this tip"));
  EXPECT_EQ(
      refusal(fmt::format(R"({{"do": "condition", "depth_mm": 1, "force_N": 1}}, {})", kScan)),
      "mine.json: step 1 (condition): depth_mm and force_N exclude each other; give one");
  EXPECT_EQ(refusal(fmt::format(R"({{"do": "condition", "depth_mm": 1, "factor": 2}}, {})", kScan)),
            "mine.json: step 1 (condition): factor has no effect beside depth_mm");
  EXPECT_THAT(refusal(fmt::format(R"({{"do": "condition", "depth_mm": 2.5}}, {})", kScan)),
              HasSubstr("exceeds the depth limit of 2 mm"));
  EXPECT_THAT(refusal(fmt::format(R"({{"do": "condition", "factor": 0.5}}, {})", kScan)),
              HasSubstr("step 1 (condition): factor: must"));
}

}  // namespace
}  // namespace tactelier
