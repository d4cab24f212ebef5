#include "libcalib/protocol/plan.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "libcalib/protocol/plan_table.hpp"
#include "tests/libcalib/protocol/plan_check.hpp"

namespace tactelier {
namespace {

using testing::HasSubstr;

constexpr std::string_view kPin = R"({"shape": "cylinder", "diameter_mm": 1})";

SensorDescription weiss() { return load_sensor("weiss-wts0614").value(); }

Result<Plan> plan_of(std::string_view steps, const PlanSetup& setup = bench_setup(),
                     std::string_view indenter = kPin, const SensorDescription& sensor = weiss()) {
  const auto protocol =
      parse_protocol(fmt::format(R"({{"format": "tactelier/protocol", "version": 1, "name": "mine",
                       "indenter": {}, "steps": [{}]}})",
                                 indenter, steps),
                     "mine.json");
  if (!protocol) return fail(protocol.error());
  return plan_protocol(*protocol, sensor, setup);
}

std::string refusal(std::string_view steps, const PlanSetup& setup = bench_setup(),
                    std::string_view indenter = kPin) {
  const auto plan = plan_of(steps, setup, indenter);
  return plan ? "" : plan.error().message;
}

std::vector<const Segment*> of_phase(const Plan& plan, Phase phase) {
  std::vector<const Segment*> found;
  for (const auto& segment : plan.segments)
    if (segment.phase == phase) found.push_back(&segment);
  return found;
}

std::vector<nlohmann::json> events_of(const Plan& plan, std::string_view name) {
  std::vector<nlohmann::json> found;
  for (const auto& segment : plan.segments)
    for (const auto* list : {&segment.at_begin, &segment.at_end})
      for (const auto& event : *list)
        if (event.name == name) found.push_back(nlohmann::json::parse(event.data));
  return found;
}

TEST(Plan, OnePressTakesTheTimeWorkedByHand) {
  const auto plan =
      plan_of(R"({"do": "scan", "sites": [[0, 0]], "speed_mm_s": 1, "until": {"depth_mm": 1}})");
  ASSERT_TRUE(plan) << plan.error().message;
  // gap 0.2 + 1^2/200 = 0.205 mm; from 1 mm down 0.795 mm at 8 mm/s and 100 mm/s2: 0.795/8 + 8/100
  //   = 0.179375 (0.795 > 0.64, so it reaches 8 mm/s)
  // free air 1 s; ramp of 1.205 mm at 1 mm/s: 1.205 + 0.01 s; the same up; free air 0.3 s
  EXPECT_NEAR(plan->duration_s, 0.179375 + 1 + 1.215 + 1.215 + 0.3, 1e-9);
  EXPECT_EQ(plan->presses, 1);
  // path: 0.795 down, 1.205 down and up
  EXPECT_NEAR(plan->path_m, 3.205e-3, 1e-12);
  // 2 N/mm expected, 4 N/mm at the stiff end
  EXPECT_NEAR(plan->steps[0].peak_force_N, 2, 1e-9);
  EXPECT_NEAR(plan->steps[0].worst_force_N, 4, 1e-9);
  // constant speed from touch until 5 um before the end
  EXPECT_NEAR(plan->steps[0].constant_speed_share.value(), 0.995, 1e-9);
  EXPECT_EQ(broken_rule(*plan, bench_setup()), "");
}

TEST(Plan, ForceEndedRampMayGoOnToTheSoftEndAndIsExpectedAtTheMiddle) {
  const auto plan =
      plan_of(R"({"do": "scan", "sites": [[0, 0]], "speed_mm_s": 2, "until": {"force_N": 1}})");
  ASSERT_TRUE(plan) << plan.error().message;
  const auto loads = of_phase(*plan, Phase::kLoad);
  ASSERT_EQ(loads.size(), 1U);
  // soft end 1 N/mm: 1 mm, and 0.05 mm more; expected 0.5 mm and braking from 2 mm/s: 0.02 mm
  EXPECT_NEAR(loads[0]->motion.end_m()[2], -1.05e-3, 1e-12);
  EXPECT_NEAR(loads[0]->end_m[2], -0.52e-3, 1e-9);
  // gap 0.2 + 0.02 mm; touch to trigger and gap at 2 mm/s: 0.02 speed-up s, (0.72 - 0.02) mm / 2,
  // 0.02 s braking
  EXPECT_NEAR(loads[0]->duration_s, 0.02 + 0.35 + 0.02, 1e-9);
  EXPECT_EQ(loads[0]->until.force_N, 1);
  EXPECT_NEAR(plan->steps[0].peak_force_N, 1.04, 1e-6);
  EXPECT_NEAR(plan->steps[0].worst_force_N, 1.08, 1e-6);     // 4 N/mm * 0.02 mm past 1 N
  EXPECT_NEAR(plan->steps[0].unguarded_force_N, 4.2, 1e-6);  // 4 N/mm * 1.05 mm
}

TEST(Plan, HoldReachesItsDepthInTheTimeAskedFor) {
  const auto plan =
      plan_of(R"({"do": "hold", "sites": ["centre"], "depth_mm": 1, "ramp_s": 0.2, "time_s": 30})");
  ASSERT_TRUE(plan) << plan.error().message;
  const auto& load = *of_phase(*plan, Phase::kLoad).at(0);
  // v = 100 (0.2 - sqrt(0.04 - 0.02)) = 5.857864376 mm/s
  EXPECT_NEAR(load.speed_m_per_s, 5.857864376269049e-3, 1e-12);
  const double gap_m = load.motion.from_m()[2];
  EXPECT_NEAR(load.duration_s - load.motion.time_at_length_s(gap_m), 0.2, 1e-9);
  const auto holds = events_of(*plan, "hold_begin");
  ASSERT_EQ(holds.size(), 1U);
  EXPECT_EQ(holds[0].dump(), R"({"depth_mm":1.0,"press":1})");
}

TEST(Plan, StaircaseDwellsAtEveryDepthWithinOnePress) {
  const auto plan = plan_of(
      R"({"do": "staircase", "sites": 1, "depths_mm": [0.2, 0.4, 1.4], "dwell_s": 5, "repeats": 2})");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->presses, 2);
  const auto holds = events_of(*plan, "hold_begin");
  ASSERT_EQ(holds.size(), 6U);
  EXPECT_EQ(holds[2]["depth_mm"], 1.4);
  EXPECT_EQ(holds[3]["press"], 2);
  const auto begin = events_of(*plan, "press_begin").at(0);
  EXPECT_EQ(begin["kind"], "staircase");
  EXPECT_EQ(begin["tactel"], 45);
  EXPECT_EQ(begin["site"], 0);
  EXPECT_EQ(begin["x_mm"], 1.7);
  // an early end leads to the unloading, not to the next depth
  for (const auto* load : of_phase(*plan, Phase::kLoad))
    EXPECT_EQ(plan->segments[load->after_until].phase, Phase::kUnload);
}

TEST(Plan, DiscardedPassesComeFirstAndDoNotCount) {
  const auto plan = plan_of(
      R"({"do": "scan", "sites": ["centre", "edges"], "speed_mm_s": 1, "until": {"depth_mm": 1},
                               "repeats": 3, "discard_first": 2, "order": "random", "seed": 5})");
  ASSERT_TRUE(plan) << plan.error().message;
  const auto begins = events_of(*plan, "press_begin");
  const auto ends = events_of(*plan, "press_end");
  ASSERT_EQ(begins.size(), 25U);
  for (std::size_t i = 0; i < 25; ++i) {
    EXPECT_EQ(ends[i]["outcome"], i < 10 ? "repeated" : "ok") << i;
    EXPECT_EQ(begins[i]["kind"], i < 15 ? "ramp" : "repeat") << i;
  }
}

TEST(Plan, SpeedsAreTakenInTurnFromPassToPassAndFromPlaceToPlace) {
  const auto plan = plan_of(
      R"({"do": "scan", "tactels": [3, 4, 5], "speed_mm_s": [1, 0.5], "until": {"depth_mm": 1},
          "repeats": 2})");
  ASSERT_TRUE(plan) << plan.error().message;
  std::vector<double> speeds_mm_s;
  for (const auto* load : of_phase(*plan, Phase::kLoad))
    speeds_mm_s.push_back(1e3 * load->speed_m_per_s);
  EXPECT_THAT(speeds_mm_s, testing::ElementsAre(1, 0.5, 1, 0.5, 1, 0.5));
  EXPECT_THAT(plan->steps.at(0).what, HasSubstr("1, 0.5 mm/s"));
}

TEST(Plan, RestIsKeptBetweenPressesOfOneTactelOnly) {
  const auto rest = [](std::string_view sites) {
    const auto plan = plan_of(fmt::format(
        R"({{"do": "scan", "tactels": {}, "speed_mm_s": 1, "until": {{"depth_mm": 1}}, "repeats": 2, "rest_s": 60}})",
        sites));
    return plan->duration_s;
  };
  // one tactel: 60 s between unloading and next touch's wait; 20 tactels: their presses fill the
  // time
  EXPECT_GT(rest("[0]"), 60);
  EXPECT_LT(rest("[0]"), 72);
  EXPECT_LT(rest("[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19]"), 40 * 4.6 + 1);
}

TEST(Plan, SlidesGoBackAndForthWithoutLifting) {
  const auto plan = plan_of(
      R"({"do": "slide", "load_N": 1, "speeds_mm_s": [1, 5], "length_mm": 8, "directions_deg": [0, 180]})",
      bench_setup(), R"({"shape": "sphere", "diameter_mm": 10})");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->slides, 4);
  EXPECT_EQ(of_phase(*plan, Phase::kUnload).size(), 1U);
  const auto begins = events_of(*plan, "slide_begin");
  EXPECT_EQ(begins[0]["vx_mm_s"], 1.0);
  EXPECT_EQ(begins[1]["vx_mm_s"], -1.0);
  EXPECT_EQ(begins[3]["vx_mm_s"], -5.0);
  EXPECT_EQ(begins[3]["vy_mm_s"], 0.0);
  const auto slides = of_phase(*plan, Phase::kSlide);
  EXPECT_NEAR(slides[2]->duration_s, 8.0 / 5 + 0.05, 1e-9);
  // friction 0.6 expected at 25 mm from the force sensor
  EXPECT_NEAR(plan->steps[0].peak_torque_Nm, 0.6 * 1 * 0.025, 1e-6);
  EXPECT_EQ(broken_rule(*plan, bench_setup()), "");
}

TEST(Plan, PlatePressesComeWithTheirOwnIndenterAndGiveTheOldOneBack) {
  const auto plan = plan_of(R"({"do": "area", "force_N": [1, 5, 15], "dwell_s": 5},
                               {"do": "scan", "tactels": [0], "speed_mm_s": 1, "until": {"depth_mm": 1}})");
  ASSERT_TRUE(plan) << plan.error().message;
  const auto prompts = of_phase(*plan, Phase::kPrompt);
  ASSERT_EQ(prompts.size(), 2U);
  EXPECT_EQ(prompts[0]->prompt, "Mount the plate, then continue.");
  EXPECT_EQ(prompts[1]->prompt, "Mount the cylinder 1 mm, then continue.");
  const auto begins = events_of(*plan, "press_begin");
  EXPECT_EQ(begins[0]["indenter"]["shape"], "plate");
  EXPECT_EQ(begins[0]["kind"], "area");
  EXPECT_FALSE(begins[1].contains("indenter"));
  EXPECT_EQ(events_of(*plan, "hold_begin").size(), 3U);
  // reaching a force of the list is no early end
  const auto loads = of_phase(*plan, Phase::kLoad);
  EXPECT_EQ(loads[1]->aim_N, 5);
  EXPECT_FALSE(loads[1]->until.any());
}

TEST(Plan, WeightsAskForTheirCompression) {
  const auto plan = plan_of(R"({"do": "weights", "masses_g": [100, 304.15], "area_mm2": 804.25})");
  ASSERT_TRUE(plan) << plan.error().message;
  const auto weights = events_of(*plan, "weight");
  ASSERT_EQ(weights.size(), 2U);
  EXPECT_EQ(weights[1].dump(), R"({"area_mm2":804.25,"mass_g":304.15})");
  EXPECT_EQ(of_phase(*plan, Phase::kPrompt)[0]->answer_key, "compression_mm");
  EXPECT_NEAR(plan->peak_force_N, 0.30415 * 9.80665, 1e-9);
}

TEST(Plan, ImagesByHandAndByStageCarryShapePoseAndLoad) {
  const auto by_hand =
      plan_of(R"({"do": "images", "indenters": [{"shape": "hexagon", "across_flats_mm": 12}],
                                  "rz_deg": [0, 45], "masses_g": [100, 500], "repeats": 2, "dwell_s": 3})");
  ASSERT_TRUE(by_hand) << by_hand.error().message;
  const auto hand = events_of(*by_hand, "image_begin");
  ASSERT_EQ(hand.size(), 8U);
  EXPECT_EQ(hand[7]["rz_deg"], 45.0);
  EXPECT_EQ(hand[7]["mass_g"], 500.0);
  EXPECT_EQ(hand[7]["indenter"]["across_flats_mm"], 12);
  const auto pressed =
      plan_of(R"({"do": "images", "indenters": [{"shape": "hexagon", "across_flats_mm": 12}],
                                  "rz_deg": [0, 45], "force_N": [1, 5], "dwell_s": 3})");
  ASSERT_TRUE(pressed) << pressed.error().message;
  const auto stage = events_of(*pressed, "image_begin");
  ASSERT_EQ(stage.size(), 4U);
  EXPECT_EQ(stage[3]["force_N"], 5.0);
  EXPECT_EQ(of_phase(*pressed, Phase::kPrompt).size(), 3U);  // two rotations, and the pin back
}

TEST(Plan, ImagesByHandMayBeTiltedThoseByStageNot) {
  const auto plan =
      plan_of(R"({"do": "images", "indenters": [{"shape": "box", "x_mm": 14, "y_mm": 4}],
                  "tilt_x_deg": 0.5, "tilt_y_deg": [0, 2], "masses_g": [500], "dwell_s": 3})");
  ASSERT_TRUE(plan) << plan.error().message;
  const auto begun = events_of(*plan, "image_begin");
  ASSERT_EQ(begun.size(), 2U);
  EXPECT_EQ(begun[1]["tilt_x_deg"], 0.5);
  EXPECT_EQ(begun[1]["tilt_y_deg"], 2.0);
  EXPECT_THAT(of_phase(*plan, Phase::kPrompt)[1]->prompt,
              HasSubstr("tilted by 0.5 deg about x and 2 deg about y"));
  const auto pressed =
      plan_of(R"({"do": "images", "indenters": [{"shape": "box", "x_mm": 14, "y_mm": 4}],
                  "tilt_y_deg": 2, "force_N": [5], "dwell_s": 3})");
  ASSERT_FALSE(pressed);
  EXPECT_THAT(pressed.error().message, HasSubstr("a tilt goes with masses_g"));
}

// 14 x 6 tactels of 3.4 mm: the bar covers nine rows and four columns from the lower edge, the tip
// presses the last row but one, three rows from the bar.
TEST(Plan, WeightsWithAnEndOfPressesAreLaidAndPressedBeside) {
  const auto plan = plan_of(R"({"do": "weights", "masses_g": [500, 500], "area_mm2": 390,
                               "until": {"saturated": true, "force_N": 3}})");
  ASSERT_TRUE(plan) << plan.error().message;
  const auto presses = events_of(*plan, "press_begin");
  ASSERT_EQ(presses.size(), 4U);
  EXPECT_EQ(events_of(*plan, "press_end")[0]["outcome"], "preloaded");
  EXPECT_EQ(presses[0]["tactel"], 12 * 6 + 1);
  EXPECT_EQ(presses[1]["tactel"], 12 * 6 + 4);
  const auto prompts = of_phase(*plan, Phase::kPrompt);
  ASSERT_EQ(prompts.size(), 4U);
  ASSERT_TRUE(prompts[0]->by_hand);
  EXPECT_NEAR(prompts[0]->by_hand->indenter->indenter.length_m, 30e-3, 1e-12);
  EXPECT_NEAR(prompts[0]->by_hand->indenter->indenter.width_m, 13e-3, 1e-12);
  EXPECT_NEAR(prompts[0]->by_hand->x_m, 0, 1e-12);
  EXPECT_NEAR(prompts[0]->by_hand->y_m, -2.5 * 3.4e-3, 1e-12);
  EXPECT_EQ(prompts[0]->by_hand->mass_kg, 0.5);
  EXPECT_EQ(prompts[1]->by_hand->mass_kg, 0);
  EXPECT_THAT(prompts[0]->prompt, HasSubstr("(0, -8.5) mm, long side along y, loaded with 500 g"));
}

TEST(Plan, RepeatedStepsKeepOneRowOfTheTable) {
  const auto plan = plan_of(R"({"do": "repeat", "times": 3, "steps": [{"do": "zero", "time_s": 10},
                               {"do": "hold", "sites": 1, "depth_mm": 0.5, "ramp_s": 0.5, "time_s": 20}]})");
  ASSERT_TRUE(plan) << plan.error().message;
  ASSERT_EQ(plan->steps.size(), 2U);
  EXPECT_EQ(plan->steps[1].label, "1.2");
  EXPECT_EQ(plan->steps[1].presses, 3);
  EXPECT_NEAR(plan->steps[0].duration_s + plan->steps[1].duration_s, plan->duration_s, 1e-9);
  const auto text = plan_text(*plan);
  EXPECT_THAT(text, HasSubstr("1.2"));
  EXPECT_THAT(text, HasSubstr("1 site: 0.5 mm within 0.5 s, held 20 s"));
}

TEST(Plan, ImpossibleSpeedsAreRefused) {
  EXPECT_EQ(refusal(R"({"do": "scan", "speed_mm_s": 12, "until": {"depth_mm": 1}})"),
            "mine: step 1 (scan): speed_mm_s 12 is more than the stage does along z, 8 mm/s");
  EXPECT_EQ(
      refusal(R"({"do": "hold", "sites": 1, "depth_mm": 1, "ramp_s": 0.1, "time_s": 5})"),
      "mine: step 1 (hold): ramp_s 0.1: 1 mm can't be reached in less than 0.141 s at 100 mm/s2");
  EXPECT_THAT(refusal(R"({"do": "hold", "sites": 1, "depth_mm": 2, "ramp_s": 0.25, "time_s": 5})"),
              HasSubstr("ramp_s 0.25 asks for 10 mm/s over 2 mm; the stage does 8 mm/s along z"));
  EXPECT_THAT(refusal(R"({"do": "chirp", "sites": 1, "preload_mm": 1, "amplitude_mm": 0.05,
                          "from_hz": 0.1, "to_hz": 10, "time_s": 60})"),
              HasSubstr("the stage does 100 mm/s2: lower amplitude or frequency"));
  const std::string_view ball = R"({"shape": "sphere", "diameter_mm": 10})";
  EXPECT_THAT(refusal(R"({"do": "slide", "load_N": 1, "speeds_mm_s": 20, "length_mm": 3})",
                      bench_setup(), ball),
              HasSubstr("length_mm 3 is too short to reach 20 mm/s: speeding up and slowing down "
                        "at 100 mm/s2 takes 4 mm"));
  EXPECT_THAT(refusal(R"({"do": "slide", "load_N": 1, "speeds_mm_s": 30, "length_mm": 15})",
                      bench_setup(), ball),
              HasSubstr("speeds_mm_s 30 is more than the stage does along x and y, 25 mm/s"));
}

TEST(Plan, AllThatIsWrongIsToldAtOnceAndOnceOnly) {
  EXPECT_EQ(refusal(R"({"do": "repeat", "times": 3, "steps": [
                         {"do": "plate", "force_N": 5, "speed_mm_s": 9}]},
                       {"do": "zero", "time_s": 1},
                       {"do": "hold", "sites": [999], "depth_mm": 0.5, "ramp_s": 0.5, "time_s": 1},
                       {"do": "hold", "sites": 1, "depth_mm": 5, "ramp_s": 9, "time_s": 1})"),
            "mine: step 1.1 (plate): speed_mm_s 9 is more than the stage does along z, 8 mm/s\n"
            "mine: step 3 (hold): tactel 999 is not on the array, which has 0 .. 83\n"
            "mine: step 4 (hold): depth_mm 5 exceeds the depth limit of 2 mm");
}

TEST(Plan, PlacesOffTheArrayAreRefused) {
  EXPECT_EQ(
      refusal(R"({"do": "scan", "tactels": [84], "speed_mm_s": 1, "until": {"depth_mm": 1}})"),
      "mine: step 1 (scan): tactel 84 is not on the array, which has 0 .. 83");
  EXPECT_THAT(
      refusal(R"({"do": "raster", "area_mm": [0, 0, 12, 1], "step_mm": 1, "depth_mm": 0.5})"),
      HasSubstr("step 1 (raster): area_mm: point (11, 0) mm lies off the array"));
  EXPECT_THAT(refusal(R"({"do": "slide", "load_N": 1, "speeds_mm_s": 5, "length_mm": 30})",
                      bench_setup(), R"({"shape": "sphere", "diameter_mm": 10})"),
              HasSubstr("point (-15, 0) mm lies off the array"));
}

TEST(Plan, DepthsBeyondLayerOrLimitAreRefused) {
  auto setup = bench_setup();
  EXPECT_EQ(refusal(R"({"do": "staircase", "sites": 1, "depths_mm": [1, 3], "dwell_s": 1})", setup),
            "mine: step 1 (staircase): depth_mm 3 exceeds the depth limit of 2 mm");
  setup.expected.thickness_m = 1.5e-3;
  EXPECT_EQ(
      refusal(R"({"do": "staircase", "sites": 1, "depths_mm": [1, 1.8], "dwell_s": 1})", setup),
      "mine: step 1 (staircase): depth_mm 1.8 exceeds the layer's thickness of 1.5 mm (ST-04)");
  EXPECT_THAT(refusal(R"({"do": "staircase", "sites": 1, "depths_percent": [10], "dwell_s": 1})"),
              HasSubstr("depths_percent needs the layer's thickness"));
  EXPECT_EQ(refusal(R"({"do": "staircase", "sites": 1, "depths_percent": [10, 40], "dwell_s": 1})",
                    setup),
            "");
}

TEST(Plan, MissingLimitsAndEndsAreRefused) {
  PlanSetup bare;
  bare.limits.max_depth_m = 2e-3;
  EXPECT_EQ(refusal(R"({"do": "scan", "speed_mm_s": 1, "until": {"depth_mm": 1}})", bare),
            "mine: step 1 (scan): no limit of the force is known: the rig's limits have no "
            "max_force_N, the sensor "
            "description neither max_force_N nor max_pressure_MPa");
  bare.limits = {25, {}, {}, {}};
  EXPECT_THAT(refusal(R"({"do": "scan", "speed_mm_s": 1, "until": {"force_N": 1}})", bare),
              HasSubstr("how deep may it go?"));
  EXPECT_THAT(refusal(R"({"do": "scan", "speed_mm_s": 1})"),
              HasSubstr("nothing would end its ramps"));
  EXPECT_THAT(refusal(R"({"do": "scan", "speed_mm_s": 1, "until": {"time_s": 1}})"),
              HasSubstr("nothing would end its ramps"));
}

TEST(Plan, ForcesBeyondALimitAreRefusedAndPossibleOnesWarnedOf) {
  auto setup = bench_setup();
  setup.limits.max_force_N = 3;
  EXPECT_EQ(refusal(R"({"do": "staircase", "sites": 1, "depths_mm": [1.8], "dwell_s": 1})", setup),
            "mine: step 1 (staircase): expects 3.6 N at 1.8 mm; the limit is 3 N");
  const auto plan =
      plan_of(R"({"do": "staircase", "sites": 1, "depths_mm": [1.4], "dwell_s": 1})", setup);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->warnings.size(), 2U);  // no thickness, and 5.6 N at the stiff end
  EXPECT_THAT(plan->warnings[1].text, HasSubstr("5.6 N"));
  auto sensor = weiss();
  sensor.max_pressure_Pa = 0.1e6;  // on one cell of 11.56 mm2: 1.156 N
  const auto pressed = plan_of(R"({"do": "staircase", "sites": 1, "depths_mm": [1], "dwell_s": 1})",
                               bench_setup(), kPin, sensor);
  ASSERT_FALSE(pressed);
  EXPECT_THAT(pressed.error().message, HasSubstr("the limit is 1.156 N"));
  setup = bench_setup();
  setup.limits.max_torque_Nm = 0.01;
  EXPECT_THAT(refusal(R"({"do": "slide", "load_N": 1, "speeds_mm_s": 5, "length_mm": 8})", setup,
                      R"({"shape": "sphere", "diameter_mm": 10})"),
              HasSubstr("torque of 0.015 N m"));
}

TEST(Plan, SharpEdgesMayNotSlide) {
  EXPECT_THAT(refusal(R"({"do": "slide", "load_N": 1, "speeds_mm_s": 5, "length_mm": 8})"),
              HasSubstr("a cylinder 1 mm has sharp edges"));
  EXPECT_EQ(
      refusal(
          R"({"do": "prompt", "text": "Ball.", "indenter": {"shape": "sphere", "diameter_mm": 10}},
                       {"do": "slide", "load_N": 1, "speeds_mm_s": 5, "length_mm": 8})"),
      "");
}

TEST(Plan, ProtocolWithoutIndenterIsRefusedWhenItPresses) {
  const auto protocol = parse_protocol(
      R"({"format": "tactelier/protocol", "version": 1, "name": "mine", "steps": [
          {"do": "zero", "time_s": 1}, {"do": "plate", "force_N": 5, "speed_mm_s": 0.1}]})",
      "mine.json");
  const auto plan = plan_protocol(*protocol, weiss(), bench_setup());
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().message,
            "mine: step 2 (plate): no indenter is mounted: neither rig nor protocol names one (key "
            "'indenter')");
}

TEST(Plan, StrokesAlongThePlateBeginFartherEachTime) {
  const auto plan = plan_of(R"({"do": "shear", "force_N": 8, "length_mm": 0.1, "speed_mm_s": 0.05,
                                "repeats": 3})");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(events_of(*plan, "shear_begin"), (std::vector<nlohmann::json>{{{"force_N", 8.0}}}));
  EXPECT_EQ(events_of(*plan, "shear_end").size(), 1U);
  const auto loads = of_phase(*plan, Phase::kLoad);
  ASSERT_EQ(loads.size(), 1U);
  EXPECT_EQ(loads[0]->touch, Touch::kPlate);
  EXPECT_EQ(loads[0]->aim_N, 8);
  const auto strokes = of_phase(*plan, Phase::kSlide);
  ASSERT_EQ(strokes.size(), 6U);
  const double plate_y_m = bench_setup().plate_m[1];
  for (std::size_t i = 0; i < strokes.size(); ++i) {
    const auto& stroke = *strokes[i];
    EXPECT_EQ(stroke.touch, Touch::kPlate);
    EXPECT_FALSE(stroke.regulate_N) << "at one height: a step of it is newtons on a plate";
    const double from_m = static_cast<double>((i + 1) / 2) * 12.5e-6 + (i % 2 == 0 ? 0 : 87.5e-6);
    EXPECT_NEAR(stroke.motion.from_m()[1], plate_y_m + from_m, 1e-9) << i;
    EXPECT_NEAR(stroke.motion.end_m()[1] - stroke.motion.from_m()[1],
                i % 2 == 0 ? 100e-6 : -87.5e-6, 1e-9);
    EXPECT_NEAR(stroke.motion.end_m()[0], bench_setup().plate_m[0], 1e-9);
  }
  // 8 N and what a stop takes at 0.05 mm/s on a frame that gives little.
  EXPECT_NEAR(plan->worst_force_N, 8, 0.05);
}

TEST(Plan, StrokesAlongSomethingSoftAreLeftOutAndSaid) {
  auto setup = bench_setup();
  setup.plate_compliance_m_per_N = 0.1e-3;
  const auto plan =
      plan_of(R"({"do": "shear", "force_N": 8, "length_mm": 0.1, "speed_mm_s": 0.05})", setup);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_TRUE(plan->segments.empty());
  EXPECT_TRUE(std::any_of(plan->warnings.begin(), plan->warnings.end(), [](const Warning& warning) {
    return warning.text.find("plate_stiffness_N_per_um") != std::string::npos;
  }));
}

/// A layer of 3 mm, 12 um/N expected of the rig: 5 N are met 60 um below the ground.
TEST(Plan, GroundIsLookedForOnceAndTouchedFromWhereItWasFelt) {
  auto setup = bench_setup();
  setup.ground = GroundPlace{0, -48e-3, {}};
  setup.expected.rig_compliance_m_per_N = {12e-6, 12e-6, 12e-6};
  const auto plan =
      plan_of(R"({"do": "ground", "force_N": 5, "speed_mm_s": 0.1, "repeats": 3})", setup);
  ASSERT_TRUE(plan) << plan.error().message;
  const auto begins = events_of(*plan, "ground_begin");
  ASSERT_EQ(begins.size(), 3U);
  EXPECT_EQ(events_of(*plan, "ground_end").size(), 3U);
  EXPECT_EQ(begins[0], (nlohmann::json{{"x_mm", 0.0}, {"y_mm", -48.0}}));
  const auto loads = of_phase(*plan, Phase::kLoad);
  ASSERT_EQ(loads.size(), 3U);
  // gap 0.2 mm + 0.1^2/200; the face is where the search begins
  EXPECT_NEAR(loads[0]->motion.from_m()[2], 0.20005e-3, 1e-9);
  for (const auto* load : loads) {
    EXPECT_EQ(load->touch, Touch::kGround);
    EXPECT_EQ(load->aim_N, 5);
    EXPECT_NEAR(load->motion.end_m()[2], -10e-3, 1e-9) << "no further than this";
    EXPECT_NEAR(load->end_m[2], -3.06e-3, 1e-7);
  }
  // The second begins 0.2 mm and 60 um over where the first ended.
  EXPECT_NEAR(loads[1]->motion.from_m()[2], loads[0]->end_m[2] + 0.20005e-3 + 60e-6, 1e-9);
  for (const auto* unload : of_phase(*plan, Phase::kUnload))
    EXPECT_TRUE(unload->keeps_displacement);
  EXPECT_NEAR(plan->worst_force_N, 5, 0.01);
}

TEST(Plan, GroundThatWasTouchedBeforeIsApproachedFromHalfAMillimetreOver) {
  auto setup = bench_setup();
  setup.ground = GroundPlace{0, -48e-3, -3e-3};
  setup.expected.rig_compliance_m_per_N = {12e-6, 12e-6, 12e-6};
  const auto plan =
      plan_of(R"({"do": "ground", "force_N": 5, "speed_mm_s": 0.1, "repeats": 2})", setup);
  ASSERT_TRUE(plan) << plan.error().message;
  const auto loads = of_phase(*plan, Phase::kLoad);
  ASSERT_EQ(loads.size(), 2U);
  EXPECT_NEAR(loads[0]->motion.from_m()[2], -3e-3 + 0.5e-3 + 0.20005e-3, 1e-9);
  EXPECT_NEAR(loads[0]->motion.end_m()[2], -3.5e-3, 1e-9);
  EXPECT_NEAR(loads[0]->end_m[2], -3.06e-3, 1e-7);
  EXPECT_EQ(broken_rule(*plan, setup), "");
}

TEST(Plan, GroundWithoutAPlaceIsLeftOutAndSaid) {
  const auto plan = plan_of(R"({"do": "ground", "force_N": 5, "speed_mm_s": 0.1})");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_TRUE(plan->segments.empty());
  EXPECT_TRUE(std::any_of(plan->warnings.begin(), plan->warnings.end(),
                          [](const Warning& warning) { return warning.code == "NO-GROUND"; }));
}

TEST(Plan, EndlessProtocolIsRefusedInsteadOfFillingTheMemory) {
  EXPECT_THAT(refusal(R"({"do": "repeat", "times": 10000, "steps": [{"do": "repeat", "times": 10000,
                          "steps": [{"do": "zero", "time_s": 1}]}]})"),
              HasSubstr("too many movements"));
  EXPECT_THAT(
      refusal(
          R"({"do": "raster", "area_mm": [-10, -10, 10, 10], "step_mm": 0.01, "depth_mm": 0.5})"),
      HasSubstr("at most 200000"));
}

}  // namespace
}  // namespace tactelier
