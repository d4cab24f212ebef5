#include "libcalib/protocol/plan_run.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "libcalib/protocol/plan_event.hpp"

namespace tactelier {
namespace {

Plan plan_of(std::string_view steps) {
  const auto protocol =
      parse_protocol(fmt::format(R"({{"format": "tactelier/protocol", "version": 1, "name": "mine",
                       "indenter": {{"shape": "cylinder", "diameter_mm": 1}}, "steps": [{}]}})",
                                 steps),
                     "mine.json");
  return plan_protocol(protocol.value(), load_sensor("weiss-wts0614").value(), bench_setup())
      .value();
}

void advance_to(PlanRun& run, Phase phase) {
  while (run.running() && run.segment().phase != phase) run.advance();
}

TEST(PlanRun, FollowsAPlanWithoutConditionsToTheSecond) {
  const auto plan =
      plan_of(R"({"do": "staircase", "sites": 3, "depths_mm": [0.2, 1], "dwell_s": 2})");
  PlanRun run(plan, 100);
  for (const auto& segment : plan.segments) {
    EXPECT_NEAR(run.begin_s(), 100 + segment.begin_s, 1e-9);
    EXPECT_NEAR(run.end_s(), 100 + segment.end_s(), 1e-9);
    EXPECT_NEAR(distance_m(run.position_m(run.end_s()), segment.end_m), 0, 1e-12);
    run.advance();
  }
  EXPECT_FALSE(run.running());
}

TEST(PlanRun, EarlyEndBrakesAndTimesTheRestAnew) {
  const auto plan =
      plan_of(R"({"do": "scan", "tactels": [0, 1], "speed_mm_s": 2, "until": {"force_N": 1}})");
  PlanRun run(plan, 0);
  advance_to(run, Phase::kLoad);
  // gap 0.22 mm; 0.3 mm deep after 0.02 + (0.52 - 0.02)/2 = 0.27 s at 2 mm/s
  const double stop_s = run.begin_s() + 0.27;
  EXPECT_NEAR(run.position_m(stop_s)[2], -0.3e-3, 1e-12);
  run.stop(stop_s, EarlyEnd::kUntil);
  EXPECT_NEAR(run.end_s(), stop_s + 0.02, 1e-12);
  EXPECT_NEAR(run.position_m(run.end_s())[2], -0.32e-3, 1e-12);
  EXPECT_NEAR(run.velocity_m_per_s(stop_s + 0.01)[2], -1e-3, 1e-12);
  const double ended_s = run.end_s();
  run.advance();
  EXPECT_EQ(run.segment().phase, Phase::kUnload);
  EXPECT_EQ(run.begin_s(), ended_s);
  // back up to 0.22 mm: 0.54 mm at 2 mm/s
  EXPECT_NEAR(run.end_s() - run.begin_s(), 0.27 + 0.02, 1e-9);
  EXPECT_NEAR(run.position_m(run.end_s())[2], 0.22e-3, 1e-12);
  while (run.running()) run.advance();
}

TEST(PlanRun, ConditionOfAStepSkipsTheDepthsThatWouldFollow) {
  const auto plan = plan_of(
      R"({"do": "staircase", "sites": 1, "depths_mm": [0.2, 0.4, 0.6], "dwell_s": 5, "until": {"force_N": 1}})");
  PlanRun run(plan, 0);
  advance_to(run, Phase::kLoad);
  run.stop(run.begin_s() + 0.3, EarlyEnd::kUntil);
  run.advance();
  EXPECT_EQ(run.segment().phase, Phase::kUnload);
}

TEST(PlanRun, AimLeadsToTheHoldAndTheConditionPastIt) {
  const auto plan = plan_of(
      R"({"do": "hold", "sites": 1, "force_N": 1, "ramp_s": 0.5, "time_s": 20, "until": {"force_N": 2}})");
  for (const auto why : {EarlyEnd::kAim, EarlyEnd::kUntil}) {
    PlanRun run(plan, 0);
    advance_to(run, Phase::kLoad);
    run.stop(run.begin_s() + 0.4, why);
    run.advance();
    EXPECT_EQ(run.segment().phase, why == EarlyEnd::kAim ? Phase::kHold : Phase::kUnload);
  }
}

TEST(PlanRun, ConditionsAreToldApart) {
  Segment segment;
  segment.phase = Phase::kLoad;
  segment.aim_N = 1;
  segment.until.force_N = 2;
  segment.until.saturated = true;
  segment.until.time_s = 5;
  ContactReading reading;
  EXPECT_EQ(ended_by(segment, reading), std::nullopt);
  reading.force_N = 1.2;
  EXPECT_EQ(ended_by(segment, reading), EarlyEnd::kAim);
  reading.force_N = 2;
  EXPECT_EQ(ended_by(segment, reading), EarlyEnd::kUntil);
  reading.force_N = 0.5;
  reading.saturated = true;
  EXPECT_EQ(ended_by(segment, reading), EarlyEnd::kUntil);
  reading.saturated = false;
  reading.since_clock_s = 5;
  EXPECT_EQ(ended_by(segment, reading), EarlyEnd::kUntil);
  reading = {0.8, 0, 0, false, 0, 0.5};  // 1.3 after the next step: 1 is nearer now
  EXPECT_EQ(ended_by(segment, reading), EarlyEnd::kAim);
  reading.force_N = 0.7;
  EXPECT_EQ(ended_by(segment, reading), std::nullopt);
  segment.phase = Phase::kHold;  // at its force already
  reading = {1.5, 0, 0, false, 0};
  EXPECT_EQ(ended_by(segment, reading), std::nullopt);
}

TEST(PlanRun, RestLastsFromTheRealReleaseOn) {
  const auto plan = plan_of(
      R"({"do": "scan", "tactels": [0], "speed_mm_s": 1, "until": {"force_N": 1}, "repeats": 2, "rest_s": 30})");
  PlanRun run(plan, 0);
  advance_to(run, Phase::kLoad);
  run.stop(run.begin_s() + 0.25, EarlyEnd::kUntil);  // earlier than planned
  advance_to(run, Phase::kUnload);
  const double released_s = run.end_s();
  run.advance();
  while (!run.segment().rest_after) run.advance();
  EXPECT_NEAR(run.end_s(), released_s + 30, 1e-9);
}

TEST(PlanRun, PromptsWaitForTheirAnswer) {
  const auto plan = plan_of(R"({"do": "prompt", "text": "Look."}, {"do": "zero", "time_s": 1})");
  PlanRun run(plan, 0, true);
  advance_to(run, Phase::kPrompt);
  EXPECT_TRUE(std::isinf(run.end_s()));
  run.answer(77);
  EXPECT_EQ(run.end_s(), 77);
  run.advance();
  EXPECT_EQ(run.begin_s(), 77);
}

TEST(PlanRun, CorrectionsOfARegulatedForceAreCarriedOn) {
  const auto plan = plan_of(
      R"({"do": "prompt", "text": "Ball.", "indenter": {"shape": "sphere", "diameter_mm": 10}},
      {"do": "slide", "load_N": 1, "speeds_mm_s": 5, "length_mm": 8})");
  PlanRun run(plan, 0);
  advance_to(run, Phase::kHold);
  const double z_m = run.position_m(run.end_s())[2];
  run.advance({0, 0, -10e-6});
  ASSERT_EQ(run.segment().phase, Phase::kSlide);
  EXPECT_NEAR(run.position_m(run.end_s())[2], z_m - 10e-6, 1e-12);
  EXPECT_NEAR(run.position_m(run.end_s())[0], 4e-3, 1e-12);
  advance_to(run, Phase::kUnload);
  EXPECT_GT(run.position_m(run.end_s())[2], 0);
}

TEST(PlannedEvent, TakesTheOperatorsAnswer) {
  const PlannedEvent event{"weight", R"({"area_mm2":804.25,"mass_g":100})", "compression_mm"};
  EXPECT_EQ(data_with_answer(event, 1.2),
            R"({"area_mm2":804.25,"compression_mm":1.2,"mass_g":100})");
  EXPECT_EQ(tidy_mm(1.4 * 1e-3), 1.4);
}

}  // namespace
}  // namespace tactelier
